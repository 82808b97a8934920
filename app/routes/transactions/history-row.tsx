import { paths } from "../../paths.ts";
import { useT, useText } from "../../ui/frame/i18n.tsx";
import { ShortTime } from "../../ui/layout/short-time.tsx";
import { MoneyMark, type MoneyStatus } from "../../ui/trade/progress/money-state.tsx";

interface Props {
  row: {
    id: number;
    code: string;
    /** When it began, ISO 8601. */
    at: string;
    role: "buyer" | "seller";
    /** The label is `status.<state>`. */
    state: string;
    money: MoneyStatus;
    /** What the reader paid, got or was refunded: `label` is a whole key of the catalogue. `paid` is false if no money came. */
    own: { label: string; sum: string; paid: boolean } | null;
  };
  /** The server's time, ISO 8601. */
  now: string;
}

/** A transaction in a person's history, as one row that leads to it: where its money is, and what it cost or brought them. */
export function HistoryRow({ row, now }: Props) {
  const { id, code, at, role, state, money, own } = row;
  const t = useT();
  const text = useText();
  return (
    <li
      data-code={code}
      className="relative flex items-center gap-x-2.5 border-b border-line px-3 py-2.5 text-sm last:border-b-0"
    >
      <MoneyMark money={money} />
      <div className="grid min-w-0 grow gap-y-0.5">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <a
            href={paths.transaction(id)}
            className="grow font-mono leading-6 font-bold text-ink no-underline after:absolute after:inset-0"
          >
            {code}
          </a>
          <ShortTime at={at} now={now} />
          {own && (
            <span
              className={`min-w-22 text-right whitespace-nowrap tabular-nums ${own.paid ? "font-bold" : "text-quiet"}`}
            >
              {own.sum}
            </span>
          )}
        </div>
        <div className="flex items-baseline justify-between gap-x-2 leading-5 text-quiet max-[22rem]:flex-wrap">
          <span className="line-clamp-3 wrap-anywhere max-[22rem]:line-clamp-none">
            {`${text(`status.${state}`)}\u00a0· ${t(`roles.${role}`)}`}
          </span>
          {own && (
            <span
              className={`shrink-0 text-xs whitespace-nowrap max-[22rem]:shrink ${own.paid ? "font-medium text-ink" : ""}`}
            >
              {text(own.label)}
            </span>
          )}
        </div>
      </div>
    </li>
  );
}
