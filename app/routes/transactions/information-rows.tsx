import { useT } from "../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";
import { FactRow } from "../../ui/rows/fact-row.tsx";
import { absenceKey, hasVisibleDetails } from "../../ui/trade/party-contact.ts";
import { RefundAccount } from "../../ui/trade/refund-card.tsx";
import { SharedDetailsList } from "../../ui/trade/shared-details.tsx";
import type { PartyContact, TradeShown } from "../../ui/trade/types.ts";

/** What the parties have shared, read-only, as a row for the reader and one for the other person: it is entered and confirmed in the room. */
export function InformationRows({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <>
      <PartyRow
        id="own-information"
        label={t(role === "seller" ? "trade.row.bank" : "trade.row.contact")}
        of={trade.mine}
        over={trade.over}
      />
      <PartyRow
        id="shared-information"
        label={t("info.theirs", { role: t(`roles.${other}`) })}
        of={trade.theirs}
        over={trade.over}
      />
    </>
  );
}

function PartyRow(props: { id: string; label: string; of: PartyContact; over: boolean }) {
  const t = useT();
  const { id, label, of, over } = props;
  const none = t(absenceKey(of, over));
  if (!hasVisibleDetails(of)) return <FactRow label={label} value={none} />;
  return (
    <DisclosureRow id={id} label={label} value={t("trade.row.added")}>
      <SharedDetailsList given={of} none={none} />
      <p className="text-sm">{t(of.confirmed ? "info.confirmed" : "info.notConfirmed")}</p>
    </DisclosureRow>
  );
}

/** The account that the buyer's refund goes or went to; to the buyer only. */
export function RefundRow({ trade }: { trade: TradeShown }) {
  const t = useT();
  if (trade.refundAccount === null) return null;
  return (
    <DisclosureRow id="refund-account" label={t("trade.refund.account")} value={t("trade.row.added")}>
      <RefundAccount trade={trade} />
    </DisclosureRow>
  );
}
