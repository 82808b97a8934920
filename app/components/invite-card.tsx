import { Button, ButtonLink } from "./button.tsx";
import { Card } from "./card.tsx";
import { useT } from "./i18n.tsx";

/** The code and link that let the other side in. Both can be selected by hand; copying by one press needs script. */
export function InviteCard(props: { code: string; link: string; close: string }) {
  const t = useT();
  return (
    <Card title={t("chat.invite")}>
      <Copyable label={t("chat.code")} value={props.code} />
      <Copyable label={t("chat.link")} value={props.link} />
      <ButtonLink to={props.close}>{t("chat.close")}</ButtonLink>
    </Card>
  );
}

/** A value to take along, with its copy button. */
export function Copyable({ label, value }: { label: string; value: string }) {
  const t = useT();
  return (
    <div className="grid gap-1">
      <p className="text-sm font-semibold">{label}</p>
      <p className="flex flex-wrap items-center gap-2">
        <output className="rounded bg-brand-soft px-3 py-2 font-mono wrap-anywhere">{value}</output>
        <Button type="button" look="plain" hidden data-copy={value} data-copied={t("toast.copied")}>
          {t("chat.copy")}
        </Button>
      </p>
    </div>
  );
}
