import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { absenceKey, hasVisibleDetails } from "../../../ui/trade/party-contact.ts";
import { ReceiptNote, SharedDetailsList } from "../../../ui/trade/shared-details.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { TradePanelProps } from "../../../ui/trade/types.ts";
import { DetailsForm } from "./details-form.tsx";
import { ShareForm } from "./share-form.tsx";

/** The reader's own details: what they have given, and the form while it may be given or corrected. */
export function OwnDetails(props: TradePanelProps) {
  const t = useT();
  const { trade, role, posted } = props;
  const given = trade.mine.accountName !== null;
  const form = <DetailsForm {...props} />;
  const here = posted?.form === "bank-info";
  return (
    <>
      {(given || trade.over || trade.mine.info !== null) && (
        <SharedDetailsList given={trade.mine} none={t(absenceKey(trade.mine, trade.over))} />
      )}
      <ReceiptNote trade={trade} role={role} of="mine" />
      {trade.can.bankInfo &&
        !trade.over &&
        (given && !here ? (
          <Disclosure id="bank-correct" summary={t("info.correct")}>
            {form}
          </Disclosure>
        ) : (
          form
        ))}
      {!trade.can.bankInfo && !trade.over && given && (
        <p className="text-sm text-quiet">{t(`info.final.${role}`)}</p>
      )}
    </>
  );
}

/**
 * What the other party has shared, and what the reader adds; read-only when the trade is over. The reader can confirm that they received it:
 * neither a step of the trade nor asked for, so the words say that nothing else follows from it.
 */
export function SharedInformation(props: TradePanelProps) {
  const t = useT();
  const { trade, role } = props;
  const other = role === "buyer" ? "seller" : "buyer";
  const name = trade.names[other];
  return (
    <>
      <h3 className="font-semibold wrap-anywhere">
        {hasVisibleDetails(trade.theirs)
          ? t("info.hasShared", { name })
          : t("info.theirs", { role: t(`roles.${other}`) })}
      </h3>
      <SharedDetailsList given={trade.theirs} none={t(absenceKey(trade.theirs, trade.over))} />
      <ReceiptNote trade={trade} role={role} of="theirs" />
      {trade.can.confirmInfo && !trade.over && (
        <>
          <p className="text-sm text-quiet wrap-anywhere">{t("info.confirmMeans", { name })}</p>
          <TradeStepForm
            form="confirm-info"
            label={t("info.confirm")}
            look="plain"
            fields={{ version: trade.theirs.version }}
          />
        </>
      )}
      {/* What was typed before the other party or the trade moved on is kept, with the reason. */}
      {((trade.can.shareInfo && !trade.over) || props.posted?.form === "info") && <ShareForm {...props} />}
    </>
  );
}
