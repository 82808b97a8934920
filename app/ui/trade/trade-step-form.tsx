import { Button, type ButtonLook } from "../forms/button.tsx";
import { PersonForm } from "../forms/person-form.tsx";
import { useT } from "../frame/i18n.tsx";
import { Disclosure } from "../layout/disclosure.tsx";

interface TradeStepProps {
  /** The form's name on its page. */
  form: string;
  label: string;
  look?: ButtonLook;
  /** The question before a step that cannot be undone, naming the amount; `yes` is the button that confirms it. */
  ask?: string;
  yes?: string;
  /** Hidden fields that are sent along. */
  fields?: Record<string, string | number>;
}

/** One step of the trade as a form: it works without scripts and can be repeated harmlessly. */
export function TradeStepForm({ form, label, look = "primary", ask, yes, fields = {} }: TradeStepProps) {
  const t = useT();
  const body = (
    <PersonForm className="grid gap-3">
      <input type="hidden" name="form" value={form} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {ask !== undefined && <p>{ask}</p>}
      <Button look={look}>{ask === undefined ? label : (yes ?? t("trade.yes", { what: label }))}</Button>
    </PersonForm>
  );
  if (ask === undefined) return body;
  return (
    <Disclosure id={`step-${form}`} summary={label} look={look === "quiet" ? "plain" : look}>
      {body}
    </Disclosure>
  );
}
