import { Camera, type IconNode, Mail, Phone, Users } from "lucide";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

type ContactKind = "email" | "phone" | "facebook" | "instagram";

/** One contact of support. `example`: the operator has not set it, and it reaches nobody. */
export interface ContactShown {
  kind: ContactKind;
  value: string;
  href: string;
  example: boolean;
}

const contactIcons: Record<ContactKind, IconNode> = {
  email: Mail,
  phone: Phone,
  facebook: Users,
  instagram: Camera,
};

/** Support's contacts, each a link as large as its card, and how long a reply takes. */
export function Contacts({ contacts, reply }: { contacts: ContactShown[]; reply: string }) {
  const t = useT();
  return (
    <Card title={t("support.contact")}>
      <ul className="grid gap-2">
        {contacts.map((contact) => (
          <li key={contact.kind}>
            <Contact {...contact} />
          </li>
        ))}
      </ul>
      <p className="text-quiet">{t("support.reply", { time: reply })}</p>
      {contacts.some(({ example }) => example) && <Notice tone="warn">{t("support.examples")}</Notice>}
    </Card>
  );
}

function Contact({ kind, value, href, example }: ContactShown) {
  const t = useT();
  return (
    <a
      href={href}
      rel="noreferrer"
      data-contact={kind}
      className="flex min-h-14 items-center gap-3 rounded-control border border-edge px-3 py-2 no-underline hover:bg-brand-soft"
    >
      <Icon of={contactIcons[kind]} className="size-6 text-brand" />
      <span className="grid min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
          {t(`support.${kind}`)}
          {example && (
            <span className="rounded-full bg-warn-soft px-2 font-semibold text-warn">
              {t("support.example")}
            </span>
          )}
        </span>
        <span className="text-sm font-semibold wrap-anywhere">{value}</span>
      </span>
    </a>
  );
}
