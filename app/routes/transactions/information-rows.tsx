import { useT } from "../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../ui/rows/disclosure-row.tsx";
import { FactRow } from "../../ui/rows/fact-row.tsx";
import { absenceKey, hasVisibleDetails } from "../../ui/trade/party-contact.ts";
import { RefundAccount } from "../../ui/trade/refund-card.tsx";
import { ReceiptNote, SharedDetailsList } from "../../ui/trade/shared-details.tsx";
import type { TradeShown } from "../../ui/trade/types.ts";

/** What the parties have shared, read-only, as a row for the reader and one for the other person: it is entered and confirmed in the room. */
export function InformationRows({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <>
      <PartyRow
        id="own-information"
        label={t(role === "seller" ? "trade.row.bank" : "trade.row.contact")}
        of="mine"
        trade={trade}
        role={role}
      />
      <PartyRow
        id="shared-information"
        label={t("info.theirs", { role: t(`roles.${other}`) })}
        of="theirs"
        trade={trade}
        role={role}
      />
    </>
  );
}

interface PartyRowProps {
  id: string;
  label: string;
  of: "mine" | "theirs";
  trade: TradeShown;
  role: "buyer" | "seller";
}

function PartyRow({ id, label, of, trade, role }: PartyRowProps) {
  const t = useT();
  const contact = trade[of];
  const none = t(absenceKey(contact, trade.over));
  if (!hasVisibleDetails(contact)) return <FactRow label={label} value={none} />;
  return (
    <DisclosureRow id={id} label={label} value={t("trade.row.added")}>
      <SharedDetailsList given={contact} none={none} />
      <ReceiptNote trade={trade} role={role} of={of} />
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
