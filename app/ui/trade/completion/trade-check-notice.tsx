import { useT } from "../../frame/i18n.tsx";
import { Notice } from "../../layout/notice.tsx";

/** What both sides read while a fraud report alone holds the trade. */
export function TradeCheckNotice() {
  const t = useT();
  return (
    <Notice tone="warn" title={t("trade.outcome.tradeChecked")}>
      <p>{t("trade.outcome.tradeCheckedNext")}</p>
    </Notice>
  );
}
