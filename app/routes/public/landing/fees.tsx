import { formatMoney } from "#format";
import { Button } from "../../../ui/forms/button.tsx";
import { ChoiceField, Field } from "../../../ui/forms/field.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Section } from "./section.tsx";

const feePayerOptions = ["buyer", "seller", "split"] as const;

interface Cost {
  amount: number;
  fee: number;
  buyerPays: number;
  sellerGets: number;
}

interface CalculatorShown {
  typed: string;
  payer: (typeof feePayerOptions)[number];
  error: string | null;
  cost: Cost | null;
  examples: Cost[];
}

interface Props {
  shown: CalculatorShown;
  /** The other parameters of the address, kept when the form is sent. */
  kept: Record<string, string>;
  figures: Record<string, string>;
}

/** What a trade costs each party: a form on the page's own address, so that a result can be linked to. */
export function Fees({ shown, kept, figures }: Props) {
  const t = useT();
  const text = useText();
  return (
    <Section id="fees" title={t("landing.fees.title")}>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Card>
          <Calculator shown={shown} kept={kept} />
        </Card>
        <Card>
          <p>{text("landing.fees.rule", figures)}</p>
          <div data-calculated="examples">
            <Examples shown={shown} />
          </div>
        </Card>
      </div>
    </Section>
  );
}

function Calculator({ shown, kept }: Omit<Props, "figures">) {
  const t = useT();
  const { cost } = shown;
  const field = (name: string, initialValue: string, errors?: string[]) => ({
    id: `fees-${name}`,
    name,
    errorId: `fees-${name}-error`,
    initialValue,
    errors,
  });
  return (
    <>
      <form action="/#fees" data-calculator className="grid gap-4">
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field
          label={t("trade.amountInput")}
          field={field("amount", shown.typed, shown.error === null ? undefined : [shown.error])}
          unit="₮"
          inputMode="numeric"
          autoComplete="off"
        />
        <ChoiceField
          label={t("trade.whoPays")}
          field={field("payer", shown.payer)}
          options={feePayerOptions.map((value) => ({ value, label: t(`trade.feePayer.${value}`) }))}
        />
        <Button look="plain">{t("landing.fees.calculate")}</Button>
      </form>
      <div aria-live="polite" data-calculated="result">
        {cost && (
          <div className="rounded-control bg-sunk p-4">
            <FactList
              rows={[
                { label: t("landing.fees.price"), value: formatMoney(cost.amount) },
                { label: t("landing.fees.fee"), value: formatMoney(cost.fee) },
                { label: t("landing.fees.buyerPays"), value: formatMoney(cost.buyerPays), strong: true },
                { label: t("landing.fees.sellerGets"), value: formatMoney(cost.sellerGets), strong: true },
              ]}
            />
          </div>
        )}
      </div>
    </>
  );
}

function Examples({ shown }: { shown: CalculatorShown }) {
  const t = useT();
  const heads = ["price", "fee", "buyerPays", "sellerGets"] as const;
  return (
    <table className="w-full text-right text-xs tabular-nums lg:text-sm">
      <caption className="pb-2 text-left text-sm font-semibold">
        {t("landing.fees.caption", { payer: t(`trade.feePayer.${shown.payer}`) })}
      </caption>
      <thead className="text-quiet">
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col" className="py-2 pl-2 align-bottom font-normal">
              {t(`landing.fees.${head}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.examples.map(({ amount, fee, buyerPays, sellerGets }) => (
          <tr key={amount} className="border-t border-line">
            <th scope="row" className="py-2 pl-2 font-normal">
              {formatBareSum(amount)}
            </th>
            {[fee, buyerPays, sellerGets].map((sum, at) => (
              <td key={heads[at + 1]} className="py-2 pl-2 font-semibold">
                {formatBareSum(sum)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An amount without the ₮ sign, which is in the caption. */
function formatBareSum(sum: number): string {
  return sum.toLocaleString("en-US");
}
