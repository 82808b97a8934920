import { useT } from "../../../ui/frame/i18n.tsx";
import { formatInlineMoney } from "../../../ui/trade/progress/trade-words.ts";
import type { PanelProps } from "../../../ui/trade/types.ts";

/** Each party's figure if `payer` pays the fee; updated while the amount is being typed. */
export function PayerFigures(props: Pick<PanelProps, "quotes"> & { payer: "buyer" | "seller" | "split" }) {
  const t = useT();
  const quote = props.quotes?.[props.payer];
  return (
    <span data-calculated={props.payer} aria-live="polite">
      {quote &&
        t("trade.figures", {
          pays: formatInlineMoney(quote.buyerPays),
          gets: formatInlineMoney(quote.sellerGets),
        })}
    </span>
  );
}
