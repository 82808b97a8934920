import { formatTime, formatWhen } from "#format";
import { Button } from "../../../../ui/forms/button.tsx";
import { PersonForm } from "../../../../ui/forms/person-form.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { isPaidInPart } from "../../../../ui/trade/state/trade-state.ts";
import type { TradeShown } from "../../../../ui/trade/types.ts";

/** A time of day alone is clear for about so long, in ms. */
const halfDayMs = 12 * 3_600_000;

type CheckProps = { trade: TradeShown; serverNow: string };

/**
 * The buyer's one button about a payment that they made: it asks the provider at once, and the answer stays beside it until the next. The
 * first press also marks the trade as paid. It carries both names that people are told: "I've paid" and "Check my payment".
 */
export function PaymentCheck({ trade, serverNow, look }: CheckProps & { look: "primary" | "plain" }) {
  const t = useT();
  const { can } = trade;
  if (!can.markPaid && !can.verify) return null;
  return (
    <div className="grid gap-2">
      <PersonForm className="grid">
        <input type="hidden" name="form" value={can.markPaid ? "mark-paid" : "verify"} />
        <Button look={look} className="flex-col gap-0!">
          <span>{t("trade.markPaid")}</span>
          <span className="text-xs font-normal">{t("trade.verify")}</span>
        </Button>
      </PersonForm>
      <PaymentAnswer trade={trade} serverNow={serverNow} buyer />
    </div>
  );
}

/** What the provider answered last, and when: "Not paid yet · checked 14:09". Nothing before the first check. */
export function PaymentAnswer({ trade, serverNow, buyer }: CheckProps & { buyer: boolean }) {
  const t = useT();
  const language = useLanguage();
  const { status, checkedAt } = trade;
  if (status !== "payment_pending" && status !== "payment_processing") return null;
  // What has arrived is said beside the amount, and the rest is to be paid.
  if (isPaidInPart(trade)) return null;
  const outcome = status === "payment_pending" ? "pending" : "unknown";
  const isRecent = checkedAt !== null && Date.parse(serverNow) - Date.parse(checkedAt) < halfDayMs;
  return (
    <div
      role="status"
      data-payment-answer={outcome}
      className="grid gap-0.5 text-center text-sm wrap-anywhere"
    >
      <p className="font-semibold">
        {checkedAt === null
          ? t(`trade.outcome.${outcome}`)
          : t(`trade.outcome.${outcome}At`, {
              at: isRecent ? formatTime(checkedAt) : formatWhen(checkedAt, serverNow, language),
            })}
      </p>
      {buyer && <p className="text-quiet">{t(`trade.outcome.${outcome}Next`)}</p>}
    </div>
  );
}
