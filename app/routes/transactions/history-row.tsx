import { paths } from "../../paths.ts";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { ShortTime } from "../../ui/layout/short-time.tsx";
import { MoneyMark, type MoneyStatus } from "../../ui/trade/progress/money-state.tsx";

interface Props {
  row: {
    id: number;
    code: string;
    /** The other person, and what is traded; null once the room was erased. */
    person: string | null;
    item: string | null;
    /** When it began, ISO 8601. */
    at: string;
    role: "buyer" | "seller";
    /** The label is `status.<state>`. */
    state: string;
    money: MoneyStatus;
    /** The key of another word for the state of the money, as `moneyForRole` has it. */
    word: string | null;
    /** What the reader paid, got or was refunded: `label` is a whole key of the catalogue. `paid` is false if no money came. */
    own: { label: string; sum: string; paid: boolean } | null;
  };
  /** The server's time, ISO 8601. */
  now: string;
}

/** One line, which a phone may cut; where large text leaves few letters to a line, all of it. */
const lineClasses =
  "line-clamp-1 min-w-0 grow wrap-anywhere max-[22rem]:line-clamp-none max-[22rem]:basis-full";

/**
 * A transaction in a person's history, as one row that leads to it: with whom and for what it is, where its money is, and what it cost or
 * brought them.
 */
export function HistoryRow({ row, now }: Props) {
  const { id, code, person, item, at, own } = row;
  return (
    <li
      data-code={code}
      className="relative flex items-center gap-x-2.5 border-b border-line px-3 py-1.25 text-[0.8125rem] leading-4.5 last:border-b-0"
    >
      <MoneyMark money={row.money} word={row.word} />
      <div className="grid min-w-0 grow">
        <div className="flex items-baseline gap-x-2 leading-5 max-[22rem]:flex-wrap">
          <p data-person className={`text-[0.9375rem] font-bold ${lineClasses}`}>
            <a
              href={paths.transaction(id)}
              aria-label={[person, item, code].filter(Boolean).join(", ")}
              className="text-ink no-underline after:absolute after:inset-0"
            >
              {person ?? code}
            </a>
          </p>
          {person !== null && <span className="font-mono text-xs whitespace-nowrap text-quiet">{code}</span>}
          <ShortTime at={at} now={now} />
        </div>
        <div className="flex items-baseline justify-between gap-x-2 max-[22rem]:flex-wrap">
          <p data-item className={lineClasses}>
            {item}
          </p>
          {own && (
            <span className={`whitespace-nowrap tabular-nums ${own.paid ? "font-bold" : "text-quiet"}`}>
              {own.sum}
            </span>
          )}
        </div>
        <StateLine row={row} />
      </div>
    </li>
  );
}

/**
 * The state of the trade, what the amount above is to the reader, and their role. A phone shows the parts that fit whole: the last ones
 * wrap below its edge, where only screen readers find them. Where text is large they take more lines.
 */
function StateLine({ row: { state, role, own } }: Pick<Props, "row">) {
  const t = useT();
  const text = useText();
  return (
    <p
      data-whole-parts
      className="flex h-4 flex-wrap gap-x-1.5 overflow-hidden text-xs leading-4 text-quiet max-[22rem]:h-auto"
    >
      <span data-state className="grow wrap-anywhere">
        {text(`status.${state}`)}
      </span>
      {own && <span className={own.paid ? "font-medium text-ink" : ""}>{text(own.label)}</span>}
      <span>
        {own && "· "}
        {t(`roles.${role}`)}
      </span>
    </p>
  );
}
