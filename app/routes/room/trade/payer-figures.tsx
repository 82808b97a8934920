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

/** The fee, which is the same whoever pays it; updated while the amount is being typed, in a place that is kept for it. */
export function FeeFigure({ quotes }: Pick<PanelProps, "quotes">) {
  const t = useT();
  const quote = quotes?.buyer;
  return (
    <p data-calculated="fee" aria-live="polite" className="min-h-5 text-sm text-quiet">
      {quote && `${t("landing.fees.fee")}: ${formatInlineMoney(quote.buyerPays - quote.sellerGets)}`}
    </p>
  );
}
