import { Check, Hourglass } from "lucide";
import { formatLongMoment } from "#format";
import { useLanguage, useT } from "../../frame/i18n.tsx";
import { Icon } from "../../layout/icon.tsx";
import { isDecidedForParties } from "../progress/trade-words.ts";
import type { TradeShown } from "../types.ts";

/** Who has confirmed completion, and when; both parties see the same. */
export function Confirmations({
  trade,
}: {
  trade: Pick<TradeShown, "confirmed" | "names" | "over" | "status">;
}) {
  const t = useT();
  const language = useLanguage();
  const closed = trade.over || isDecidedForParties(trade);
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="pb-1 text-left font-semibold">{t("confirmations.title")}</caption>
      <tbody>
        {(["buyer", "seller"] as const).map((side) => {
          const at = trade.confirmed[side];
          return (
            <tr key={side} className="border-t border-line">
              <th scope="row" className="w-2/5 py-2 pr-3 text-left font-normal wrap-anywhere">
                {t(`roles.${side}`)}
                <span className="block text-quiet">{trade.names[side]}</span>
              </th>
              <td className="py-2 text-right" data-confirmed={at === null ? undefined : side}>
                <span
                  className={`inline-flex items-center gap-1.5 ${at === null ? "text-quiet" : "font-semibold text-good"}`}
                >
                  <Icon of={at === null ? Hourglass : Check} className="size-4" />
                  {at === null
                    ? t(closed ? "confirmations.never" : "confirmations.notYet")
                    : formatLongMoment(at, language)}
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
