import { Ban, CircleCheck, Hourglass, type IconNode, Scale, Undo2 } from "lucide";
import type { TradeView } from "#views/escrow";
import { useT, useText } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { MidmanMark } from "../../layout/midman-mark.tsx";

/** The state of a trade's money. `none`: no money came and none will; `refunding`: held only until it is sent to the buyer. */
export type MoneyStatus = TradeView["standing"]["money"] | "refunding";

type VisibleMoneyStatus = Exclude<MoneyStatus, "none">;

/** The label, icon and colour of each state of money, the same everywhere. */
const moneyLooks: Record<VisibleMoneyStatus, { look: string; icon: IconNode | "mark" }> = {
  waiting: { look: "border-transparent bg-warn-soft text-warn", icon: Hourglass },
  // The step of the person whose turn it is has the same ground: the edge sets it apart.
  held: { look: "border-brand bg-brand-soft text-brand", icon: "mark" },
  released: { look: "border-transparent bg-good-soft text-good", icon: CircleCheck },
  refunding: { look: "border-back bg-back-soft text-back", icon: Undo2 },
  returned: { look: "border-transparent bg-back-soft text-back", icon: Undo2 },
  disputed: { look: "border-transparent bg-bad-soft text-bad", icon: Scale },
};

/**
 * The state of a trade's money as a badge, in words only if `small`; nothing if there is no money. `word`: the key of another word for it, as
 * `moneyForRole` has it.
 */
export function MoneyState(props: { money: MoneyStatus; word?: string | null; small?: boolean }) {
  const { money, word = null, small = false } = props;
  const t = useT();
  const text = useText();
  if (money === "none") return null;
  return (
    <span
      data-money={money}
      className={`inline-flex items-center gap-1.5 rounded-full border font-bold ${small ? "whitespace-nowrap px-1.5 py-0.5 text-[0.6875rem]" : "px-3 py-1 text-sm"} ${moneyLooks[money].look}`}
    >
      {!small && <MoneyIcon money={money} className="size-4" />}
      {word === null ? t(`money.${money}`) : text(word)}
    </span>
  );
}

/** The icon of a state of money. */
export function MoneyIcon({ money, className }: { money: VisibleMoneyStatus; className?: string }) {
  const { icon } = moneyLooks[money];
  return icon === "mark" ? <MidmanMark className={className} /> : <Icon of={icon} className={className} />;
}

/** The state of a trade's money at the head of a row, as a round mark in the colour that it has everywhere. */
export function MoneyMark({ money, word = null }: { money: MoneyStatus; word?: string | null }) {
  const t = useT();
  const text = useText();
  const look = money === "none" ? "bg-sunk text-quiet" : moneyLooks[money].look;
  return (
    <span data-money={money} className={`grid size-9 shrink-0 place-items-center rounded-full ${look}`}>
      {money === "none" ? (
        <Icon of={Ban} className="size-5" />
      ) : (
        <MoneyIcon money={money} className="size-5" />
      )}
      <span className="sr-only">{word === null ? t(`trade.chip.${money}`) : text(word)}</span>
    </span>
  );
}
