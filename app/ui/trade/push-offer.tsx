import { Bell, X } from "lucide";
import { useT } from "../frame/i18n.tsx";
import { Icon } from "../layout/icon.tsx";
import { turnForRole } from "./progress/trade-words.ts";
import { isSplit } from "./state/trade-state.ts";
import type { TradeShown } from "./types.ts";

/**
 * What a person who turns notifications on hears of next: their turn, or the end of a trade in which they have none left. Null for the
 * party whose part of a split has been sent already: nothing follows.
 */
export function findAwaitedEvent(
  trade: Pick<TradeShown, "status" | "refund" | "toSeller" | "net" | "payoutSent">,
  role: "buyer" | "seller",
): "turn" | "payout" | "refund" | "completion" | null {
  const { status } = trade;
  if (status !== "settlement_pending" && !(status === "exchange_completed" && role === "buyer"))
    return "turn";
  if (role === "seller") return trade.payoutSent ? null : "payout";
  if (!isSplit(trade)) return "completion";
  return trade.refund?.sent ? null : "refund";
}

/**
 * One line that offers notifications on this device: only while Midman holds the money and the other person has the turn, because then the
 * reader waits. Hidden without scripts and where it makes no sense (`enhance/push-offer.ts`). A refusal is remembered.
 */
export function PushOffer({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const { own, turn } = turnForRole(trade, role);
  const awaited = findAwaitedEvent(trade, role);
  if (awaited === null || trade.standing.money !== "held" || trade.over || own || turn === "none")
    return null;
  return (
    <p
      role="status"
      data-push-line
      data-on={t("settings.push.isOn")}
      data-failed={t("settings.push.failed")}
      className="hidden flex-wrap items-center gap-1 rounded-control bg-sunk px-3 text-sm [[data-push-offer]_&]:flex"
    >
      <button
        type="button"
        data-push-answer="on"
        className="inline-flex min-h-11 min-w-0 grow basis-36 cursor-pointer items-center gap-2 text-start font-semibold wrap-anywhere text-brand"
      >
        <Icon of={Bell} className="size-5" />
        {t(`trade.pushOffer.${awaited}`)}
      </button>
      <button
        type="button"
        data-push-answer="later"
        aria-label={t("trade.pushOffer.later")}
        className="grid size-11 cursor-pointer place-items-center text-quiet"
      >
        <Icon of={X} className="size-5" />
      </button>
    </p>
  );
}
