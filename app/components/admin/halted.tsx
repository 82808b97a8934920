import { paths } from "../../paths.ts";
import { TextLink } from "../button.tsx";
import { useT } from "../i18n.tsx";
import { Notice } from "../notice.tsx";
import { useVisit } from "../visit.tsx";

/** The banner of the desk's pages while outgoing money is stopped; nothing otherwise. `link`: to where the switch is. */
export function Halted({ link }: { link: boolean }) {
  const t = useT();
  if (!useVisit().halted) return null;
  return (
    <Notice tone="bad" title={t("admin.moneyDesk.halted")}>
      <p>{t("admin.moneyDesk.haltedHint")}</p>
      {link && <TextLink to={paths.adminMoney}>{t("admin.moneyDesk.look")}</TextLink>}
    </Notice>
  );
}
