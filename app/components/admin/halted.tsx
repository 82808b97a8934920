import { paths } from "../../paths.ts";
import { TextLink } from "../button.tsx";
import { useT } from "../i18n.tsx";
import { Notice } from "../notice.tsx";

/** The banner of the desk's pages while outgoing money is stopped; nothing otherwise. */
export function Halted({ halted, link = true }: { halted: boolean; link?: boolean }) {
  const t = useT();
  if (!halted) return null;
  return (
    <Notice tone="bad" title={t("admin.moneyDesk.halted")}>
      <p>{t("admin.moneyDesk.haltedHint")}</p>
      {link && <TextLink to={paths.adminMoney}>{t("admin.moneyDesk.look")}</TextLink>}
    </Notice>
  );
}
