import { Check, Hourglass } from "lucide";
import { formatLongMoment } from "#format";
import { useLanguage, useT } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { isDecidedForParties } from "../state/trade-state.ts";
import type { TradeShown } from "../types.ts";

/** Who has confirmed completion, and when; both parties see the same. */
export function Confirmations({
  trade,
}: {
  trade: Pick<TradeShown, "confirmed" | "names" | "over" | "status" | "standing">;
}) {
  const t = useT();
  const language = useLanguage();
  const closed = trade.over || isDecidedForParties(trade);
  return (
    <table className="block text-sm">
      <caption className="block pb-1 text-left font-semibold wrap-anywhere">
        {t("confirmations.title")}
      </caption>
      <tbody className="block">
        {(["buyer", "seller"] as const).map((side) => {
          const at = trade.confirmed[side];
          return (
            // One below the other: a long date beside a long name would be cut off.
            <tr key={side} className="block border-t border-line py-2">
              <th scope="row" className="block text-left font-normal wrap-anywhere">
                {t(`roles.${side}`)}
                <span className="text-quiet"> · {trade.names[side]}</span>
              </th>
              <td className="block" data-confirmed={at === null ? undefined : side}>
                <span
                  className={`inline-flex items-center gap-1.5 ${at === null ? "text-quiet" : "font-semibold text-good"}`}
                >
                  <Icon of={at === null ? Hourglass : Check} className="size-4" />
                  <span className="min-w-0 wrap-anywhere">
                    {at === null
                      ? t(closed ? "confirmations.never" : "confirmations.notYet")
                      : formatLongMoment(at, language)}
                  </span>
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
