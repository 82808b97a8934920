import type { ReactNode } from "react";
import { FormErrors } from "./field.tsx";
import { PersonForm } from "./person-form.tsx";

/** A small form on a page with several: its name tells the action which form it is, and its general errors come first. */
export function PostForm(props: {
  name: string;
  to: string;
  form?: { errorId: string; errors?: string[] | undefined };
  children: ReactNode;
  className?: string;
}) {
  return (
    <PersonForm action={props.to} className={props.className ?? "grid gap-4"} noValidate>
      <input type="hidden" name="form" value={props.name} />
      {props.form && <FormErrors id={props.form.errorId} errors={props.form.errors} />}
      {props.children}
    </PersonForm>
  );
}
