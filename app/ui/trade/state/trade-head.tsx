import type { ReactNode } from "react";
import { useText } from "../../frame/i18n.tsx";
import { TurnClock } from "../progress/clocks.tsx";
import { MoneyState } from "../progress/money-state.tsx";
import {
  findTurnClock,
  handOverOf,
  moneyForRole,
  type RoleMoney,
  turnForRole,
} from "../progress/trade-words.ts";
import type { TradeShown } from "../types.ts";

interface Props {
  trade: TradeShown;
  role: "buyer" | "seller";
  serverNow: string;
  /** The id of its heading, by which a section is named. */
  headingId?: string;
  children?: ReactNode;
}

/** The state of the money, the reader's amount, whose turn it is and until when: the head of a trade in its room and on its own page. */
export function TradeHead({ trade, role, serverNow, headingId, children }: Props) {
  const text = useText();
  const { own, turn } = turnForRole(trade, role);
  const clock = findTurnClock(trade);
  return (
    <div
      className={`${tradeHeadClasses} ${own ? "border-brand-soft bg-brand-soft" : "border-line bg-card"}`}
      data-status={trade.status}
      data-hand-over={handOverOf(trade)}
    >
      <RoleMoneyLine {...moneyForRole(trade, role)} />
      <h2 id={headingId} data-next-step className={`font-bold ${own ? "text-brand" : ""}`}>
        {text(own ? `trade.yourTurn.${turn}` : `trade.turn.${turn}`)}
      </h2>
      {clock && <TurnClock clock={clock} role={role} serverNow={serverNow} />}
      {children}
    </div>
  );
}

/** The frame of a trade's head, also before there is a trade. */
export const tradeHeadClasses = "grid gap-1.5 rounded-card border p-3.5";

/** The state of a trade's money and, beside it, the amount that concerns the reader. */
function RoleMoneyLine({ state, word, amount }: RoleMoney) {
  const text = useText();
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <MoneyState money={state} word={word} />
      {amount && (
        <span className="text-right text-xs leading-tight text-quiet">
          {text(amount.label)}{" "}
          <strong className="text-lg whitespace-nowrap text-ink tabular-nums">{amount.sum}</strong>
        </span>
      )}
    </p>
  );
}
