import { ArrowDown, ArrowUp } from "lucide";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

const newMessagesClasses =
  "inline-flex min-h-11 items-center gap-1 rounded-full bg-brand-soft px-4 font-semibold text-brand no-underline";

/** How many new messages are above those shown, and a link to the first of them. */
export function NewMessagesAbove({ count, href }: { count: number; href: string }) {
  const t = useT();
  return (
    <a href={href} className={`self-center ${newMessagesClasses}`}>
      <Icon of={ArrowUp} className="size-4" />
      {t("room.newAbove", { count })}
    </a>
  );
}

/** The link to the next messages on a page that begins in the middle; the script needs none, since it fetches the rest itself. */
export function NewMessagesBelow({ href }: { href: string }) {
  const t = useT();
  return (
    <noscript className="self-center">
      <a href={href} className={newMessagesClasses}>
        <Icon of={ArrowDown} className="size-4" />
        {t("room.newBelow")}
      </a>
    </noscript>
  );
}
