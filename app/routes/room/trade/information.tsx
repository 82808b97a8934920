import { Check, Hourglass } from "lucide";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { absenceKey, hasVisibleDetails } from "../../../ui/trade/party-contact.ts";
import { SharedDetailsList } from "../../../ui/trade/shared-details.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PartyContact, TradePanelProps } from "../../../ui/trade/types.ts";
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
        <SideDetails contact={trade.mine} over={trade.over} />
      )}
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

/** What the other party has shared, and what the reader adds and confirms; read-only when the trade is over. */
export function SharedInformation(props: TradePanelProps) {
  const t = useT();
  const { trade, role } = props;
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <>
      <h3 className="font-semibold">{t("info.theirs", { role: t(`roles.${other}`) })}</h3>
      <SideDetails contact={trade.theirs} over={trade.over} />
      {trade.can.confirmInfo && !trade.over && (
        <>
          <p className="text-sm text-quiet">{t("info.confirmMeans")}</p>
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

/** What one party has shared, and whether it has confirmed. */
function SideDetails({ contact, over }: { contact: PartyContact; over: boolean }) {
  const t = useT();
  const { confirmed } = contact;
  return (
    <div className="grid gap-1">
      <SharedDetailsList given={contact} none={t(absenceKey(contact, over))} />
      {(confirmed || (hasVisibleDetails(contact) && !over)) && (
        <p
          className={`flex items-center gap-1.5 text-sm ${confirmed ? "font-semibold text-good" : "text-quiet"}`}
        >
          <Icon of={confirmed ? Check : Hourglass} className="size-4" />
          {t(confirmed ? "info.confirmed" : "info.notConfirmed")}
        </p>
      )}
    </div>
  );
}
