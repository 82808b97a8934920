import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { FieldState } from "./field.tsx";

/**
 * What was typed, to be read once more before it counts: the values wait in hidden fields, one button goes back to them and
 * one lets them count. Pressed twice it is the same once.
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
    <form method="post" data-review className="grid gap-4 rounded-control bg-brand-soft p-4">
      {/* The page that brings it opens here, as it does at what is wrong with a form. */}
      {/* biome-ignore lint/a11y/noAutofocus: it is what was asked for */}
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
        <Button look="plain" name="edit" value="1">
          {props.edit}
        </Button>
      </div>
    </form>
  );
}
