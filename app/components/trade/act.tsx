import { Button } from "../button.tsx";
import { useT } from "../i18n.tsx";

interface ActProps {
  /** Which of the page's forms this is. */
  form: string;
  label: string;
  look?: "primary" | "plain" | "danger";
  /** What cannot be undone is asked a second time, in the page, naming the sum. */
  ask?: string;
  /** The label of a free note to go with it. */
  note?: string;
}

/** One step of the trade as a form of its own: it works with scripts off and repeats harmlessly. */
export function Act({ form, label, look = "primary", ask, note }: ActProps) {
  const t = useT();
  const button = <Button look={look}>{ask === undefined ? label : t("trade.yes", { what: label })}</Button>;
  const body = (
    <form method="post" className="grid gap-3">
      <input type="hidden" name="form" value={form} />
      {ask !== undefined && <p>{ask}</p>}
      {note !== undefined && (
        <label className="grid gap-1 text-sm font-semibold">
          {note}
          <textarea
            name="note"
            rows={2}
            maxLength={1000}
            className="w-full rounded-lg border border-line bg-card px-3 py-2 text-base font-normal"
          />
        </label>
      )}
      {button}
    </form>
  );
  if (ask === undefined) return body;
  return (
    <details id={`step-${form}`} className="rounded-lg border border-line p-3">
      <summary className={`cursor-pointer font-semibold ${look === "danger" ? "text-bad" : "text-brand"}`}>
        {label}
      </summary>
      <div className="pt-3">{body}</div>
    </details>
  );
}
