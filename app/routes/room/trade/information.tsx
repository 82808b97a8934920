import { Check, Hourglass } from "lucide";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { SharedDetailsList } from "../../../ui/trade/shared-details.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import type { PartyContact, TradePanelProps } from "../../../ui/trade/types.ts";
import { DetailsForm } from "./details-form.tsx";
import { ShareForm } from "./share-form.tsx";

/** What the parties share with each other once the money is held; read-only when the trade is over. */
export function Information(props: TradePanelProps) {
  const t = useT();
  const { trade, role } = props;
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <Card title={t("info.title")}>
      <SideDetails
        title={t("info.theirs", { role: t(`roles.${other}`) })}
        contact={trade.theirs}
        over={trade.over}
      />
      <SideDetails title={t("info.mine")} contact={trade.mine} over={trade.over} />
      {!trade.over && (
        <div className="grid gap-3">
          {trade.can.bankInfo && <DetailsForm {...props} />}
          {!trade.can.bankInfo && trade.mine.accountName !== null && (
            <p className="text-sm text-quiet">{t(`info.final.${role}`)}</p>
          )}
          {trade.can.shareInfo && <ShareForm {...props} />}
          {trade.can.confirmInfo && (
            <>
              <p className="text-sm text-quiet">{t("info.confirmMeans")}</p>
              <TradeStepForm
                form="confirm-info"
                label={t("info.confirm")}
                look={confirmLook(props)}
                fields={{ version: trade.theirs.version }}
              />
            </>
          )}
        </div>
      )}
    </Card>
  );
}

/** Confirming is the primary action only once the reader's own details are saved and no form above it waits to be saved. */
function confirmLook({ trade, posted }: TradePanelProps): "primary" | "plain" {
  const trading = trade.status === "payment_confirmed" || trade.status === "exchange_completed";
  return trading && trade.mine.accountName !== null && posted?.form !== "bank-info" ? "primary" : "plain";
}

/** What one party has shared, and whether it has confirmed. */
function SideDetails({ title, contact, over }: { title: string; contact: PartyContact; over: boolean }) {
  const t = useT();
  const { confirmed } = contact;
  const given = Object.values(contact).some((value) => typeof value === "string");
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <SharedDetailsList
        given={contact}
        none={t(contact.erased ? "info.erased" : over ? "info.notGiven" : "info.notProvided")}
      />
      {(confirmed || (given && !over)) && (
        <p
          className={`flex items-center gap-1.5 text-sm ${confirmed ? "font-semibold text-good" : "text-quiet"}`}
        >
          <Icon of={confirmed ? Check : Hourglass} className="size-4" />
          {t(confirmed ? "info.confirmed" : "info.notConfirmed")}
        </p>
      )}
    </section>
  );
}
