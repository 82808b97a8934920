import { useT } from "../../frame/i18n.tsx";
import { Notice } from "../../layout/notice.tsx";

/** Shown to both parties while only a fraud report holds the trade. */
export function TradeCheckNotice() {
  const t = useT();
  return (
    <Notice tone="warn" title={t("trade.outcome.tradeChecked")}>
      <p>{t("trade.outcome.tradeCheckedNext")}</p>
    </Notice>
  );
}
