import { Button, type ButtonLook } from "../forms/button.tsx";
import { useT } from "../frame/i18n.tsx";
import { Disclosure } from "../layout/disclosure.tsx";

interface TradeStepProps {
  /** Which of the page's forms this is. */
  form: string;
  label: string;
  look?: ButtonLook;
  /** What cannot be undone is asked a second time, in the page, naming the sum; `yes` is the button that does it. */
  ask?: string;
  yes?: string;
  /** What goes with the press beside the form's name. */
  fields?: Record<string, string | number>;
}

/** One step of the trade as a form of its own: it works with scripts off and repeats harmlessly. */
export function TradeStepForm({ form, label, look = "primary", ask, yes, fields = {} }: TradeStepProps) {
  const t = useT();
  const body = (
    <form method="post" className="grid gap-3">
      <input type="hidden" name="form" value={form} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {ask !== undefined && <p>{ask}</p>}
      <Button look={look}>{ask === undefined ? label : (yes ?? t("trade.yes", { what: label }))}</Button>
    </form>
  );
  if (ask === undefined) return body;
  return (
    <Disclosure id={`step-${form}`} summary={label} look={look === "quiet" ? "plain" : look}>
      {body}
    </Disclosure>
  );
}
