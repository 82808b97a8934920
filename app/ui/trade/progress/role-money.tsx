import { useText } from "../../frame/i18n.tsx";
import { MoneyState } from "./money-state.tsx";
import type { moneyForRole } from "./trade-words.ts";

/** The state of a trade's money and, beside it, the sum that concerns the reader (`moneyForRole`). */
export function RoleMoneyLine({ state, amount }: ReturnType<typeof moneyForRole>) {
  const text = useText();
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <MoneyState money={state} />
      {amount && (
        <span className="text-right text-xs leading-tight text-quiet">
          {text(amount.label)}{" "}
          <strong className="text-lg whitespace-nowrap text-ink tabular-nums">{amount.sum}</strong>
        </span>
      )}
    </p>
  );
}
