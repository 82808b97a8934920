import { Button } from "../button.tsx";
import { useT } from "../i18n.tsx";
import { Summary } from "./summary.tsx";

interface ActProps {
  /** Which of the page's forms this is. */
  form: string;
  label: string;
  look?: "primary" | "plain" | "danger";
  /** What cannot be undone is asked a second time, in the page, naming the sum. */
  ask?: string;
}

/** One step of the trade as a form of its own: it works with scripts off and repeats harmlessly. */
export function Act({ form, label, look = "primary", ask }: ActProps) {
  const t = useT();
  const button = <Button look={look}>{ask === undefined ? label : t("trade.yes", { what: label })}</Button>;
  const body = (
    <form method="post" className="grid gap-3">
      <input type="hidden" name="form" value={form} />
      {ask !== undefined && <p>{ask}</p>}
      {button}
    </form>
  );
  if (ask === undefined) return body;
  return (
    <details id={`step-${form}`} className="rounded-control border border-line px-3">
      <Summary danger={look === "danger"}>{label}</Summary>
      <div className="pb-3">{body}</div>
    </details>
  );
}
