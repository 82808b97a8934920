import { formatLongMoment } from "#format";
import { useLanguage, useT, useText } from "../../frame/i18n.tsx";
import { formatInlineMoney } from "../progress/trade-words.ts";
import type { TradeShown } from "../types.ts";

interface Props {
  trade: Pick<TradeShown, "status" | "endReason" | "refund" | "heldForChecking">;
  role: "buyer" | "seller";
}

/**
 * Why a trade was cancelled, and its refund: who sends how much, or when it was sent. Midman promises no time for a refund, so none is
 * named before it is sent.
 */
export function CancelledNote({ trade, role }: Props) {
  const text = useText();
  const refund = useRefundLine(trade, role);
  if (trade.status !== "cancelled") return null;
  return (
    <div className="grid gap-1 text-sm" data-cancelled>
      {trade.endReason !== null && (
        <p>{text(`trade.cancelled.reason.${reasonForRole(trade.endReason, role)}`)}</p>
      )}
      {refund !== null && <p>{refund}</p>}
    </div>
  );
}

/** The seller withdrew the request themselves, and a ruling's refund is the buyer's own. */
function reasonForRole(reason: NonNullable<TradeShown["endReason"]>, role: Props["role"]): string {
  if (reason === "ruling" && role === "buyer") return "rulingForYou";
  return reason === "withdrawn" && role === "seller" ? "withdrawnByYou" : reason;
}

/** The sentence about a cancelled trade's refund; null without one, and while a check stops it. */
function useRefundLine({ refund, heldForChecking }: Props["trade"], role: Props["role"]): string | null {
  const t = useT();
  const language = useLanguage();
  if (refund === null) return null;
  const sum = formatInlineMoney(refund.amount);
  if (refund.sent) {
    const { sentAt } = refund;
    return sentAt && t(`trade.cancelled.sent.${role}`, { sum, at: formatLongMoment(sentAt, language) });
  }
  if (heldForChecking) return null;
  return t(refund.accountGiven ? `trade.cancelled.due.${role}` : `trade.cancelled.account.${role}`, { sum });
}
