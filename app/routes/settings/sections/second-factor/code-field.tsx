import { Field, type FieldState } from "../../../../ui/forms/field.tsx";

/** A code of the second factor. Each works once, so what was typed does not come back. */
export function CodeField(props: { label: string; field: FieldState; hint?: string; digits?: boolean }) {
  const { digits = false, field, ...rest } = props;
  // Taken out one by one: what Conform hands over has no properties that a spread would see.
  const { id, name, errors, errorId } = field;
  return (
    <Field
      {...rest}
      field={{ id, name, errors, errorId }}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      inputMode={digits ? "numeric" : "text"}
    />
  );
}
