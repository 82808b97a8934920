import { useT, useText } from "../../frame/i18n.tsx";
import { HandOverNote, ReceivedOtherwise } from "../completion/completion-step.tsx";
import { Confirmations } from "../completion/confirmations.tsx";
import { Clocks } from "../progress/clocks.tsx";
import { LabelledSteps } from "../progress/labelled-steps.tsx";
import { findTurnClock, visibleClocks } from "../progress/trade-words.ts";
import type { TradeShown } from "../types.ts";
import { CancelledNote } from "./cancelled-note.tsx";
import { awaitsCancelAnswer, bannerOf, endLabelOf } from "./trade-state.ts";

interface Props {
  trade: TradeShown;
  role: "buyer" | "seller";
  serverNow: string;
  /** Whether the next step, shown beside it, has the handover's note and the buyer's way of receiving already. */
  besideCompletion?: boolean;
}

/**
 * Where the trade stands: its steps by name, its state in a sentence, how a cancelled one ends, the other deadlines, and who has confirmed.
 * The room and the transaction's own page show the same.
 */
export function TradeProgress({ trade, role, serverNow, besideCompletion = false }: Props) {
  const t = useT();
  const text = useText();
  const { standing, status, confirmed } = trade;
  // Nobody is asked to confirm a cancelled trade.
  const asksBoth = status !== "cancelled" || confirmed.buyer !== null || confirmed.seller !== null;
  const confirming = standing.done.includes("held") && standing.money !== "none" && asksBoth;
  const banner = bannerOf(trade, role);
  const others = visibleClocks(trade).filter((clock) => clock !== findTurnClock(trade));
  return (
    <section
      aria-label={t("trade.progress")}
      className="grid gap-2 rounded-card border border-line bg-card p-3.5"
    >
      <LabelledSteps
        {...standing}
        ended={standing.ended || status === "disputed"}
        end={standing.ended ? text(endLabelOf(trade)) : undefined}
        pendingRequest={awaitsCancelAnswer(trade) ? t("status.cancel_asked") : undefined}
      />
      {banner !== null && (
        <p className={`text-sm font-semibold ${status === "payment_failed" ? "text-bad" : ""}`} data-banner>
          {text(banner)}
        </p>
      )}
      <CancelledNote trade={trade} role={role} />
      <Clocks clocks={others} role={role} serverNow={serverNow} />
      {!besideCompletion && <ReceivedOtherwise trade={trade} />}
      {!besideCompletion && <HandOverNote trade={trade} />}
      {confirming && <Confirmations trade={trade} />}
    </section>
  );
}
