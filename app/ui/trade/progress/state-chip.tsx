import { Ban } from "lucide";
import { useT, useText } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { MoneyIcon, type MoneyStatus } from "./money-state.tsx";

const chipLooks: Record<MoneyStatus, string> = {
  waiting: "bg-warn-soft text-warn",
  held: "bg-brand-soft text-brand",
  released: "bg-good-soft text-good",
  refunding: "bg-back-soft text-back",
  returned: "bg-back-soft text-back",
  disputed: "bg-bad-soft text-bad",
  none: "bg-sunk text-quiet",
};

/**
 * The state of a trade's money in a row, in a short word, with the colour and the icon that it has everywhere. `word`: the key of another
 * word for it, as `moneyForRole` has it.
 */
export function StateChip({ money, word }: { money: MoneyStatus; word: string | null }) {
  const t = useT();
  const text = useText();
  return (
    <span
      data-money={money}
      className={`inline-flex items-center gap-1 rounded-full px-1.5 text-xs leading-4.5 font-bold whitespace-nowrap ${chipLooks[money]}`}
    >
      {money === "none" ? (
        <Icon of={Ban} className="size-3.5" />
      ) : (
        <MoneyIcon money={money} className="size-3.5" />
      )}
      {word === null ? t(`trade.chip.${money}`) : text(word)}
    </span>
  );
}
