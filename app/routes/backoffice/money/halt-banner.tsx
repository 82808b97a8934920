import { paths } from "../../../paths.ts";
import { TextLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../ui/frame/visit.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

/** The banner on the back office's pages while outgoing money is halted; nothing otherwise. `link`: whether to link to the switch. */
export function HaltBanner({ link }: { link: boolean }) {
  const t = useT();
  if (!useVisit().halted) return null;
  return (
    <Notice tone="bad" title={t("admin.moneyDesk.halted")}>
      <p>{t("admin.moneyDesk.haltedHint")}</p>
      {link && <TextLink to={paths.adminMoney}>{t("admin.moneyDesk.look")}</TextLink>}
    </Notice>
  );
}
