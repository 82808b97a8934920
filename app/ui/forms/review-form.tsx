import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { FieldState } from "./field.tsx";
import { PersonForm } from "./person-form.tsx";

/**
 * The input for review before it is saved: the values are in hidden fields, one button returns to editing and one confirms. Confirming
 * twice has the effect of confirming once.
 */
export function ReviewForm(props: {
  form: string;
  title: string;
  fields: Array<Pick<FieldState, "name" | "initialValue">>;
  edit: string;
  confirm: ReactNode;
  children: ReactNode;
}) {
  return (
    <PersonForm data-review className="grid gap-4 rounded-control bg-brand-soft p-4">
      {/* The heading takes the focus when the page opens, as form errors do. */}
      {/* biome-ignore lint/a11y/noAutofocus: the person asked for this review */}
      <h3 tabIndex={-1} autoFocus className="font-bold outline-none">
        {props.title}
      </h3>
      <input type="hidden" name="form" value={props.form} />
      <input type="hidden" name="confirmed" value="1" />
      {props.fields.map(({ name, initialValue }) =>
        typeof initialValue === "string" ? (
          <input key={name} type="hidden" name={name} value={initialValue} />
        ) : null,
      )}
      {props.children}
      <div className="grid gap-2">
        {props.confirm}
        <Button look="plain" name="edit" value="1" className="wrap-anywhere">
          {props.edit}
        </Button>
      </div>
    </PersonForm>
  );
}
