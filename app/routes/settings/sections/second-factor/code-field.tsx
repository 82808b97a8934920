import { Field, type FieldState } from "../../../../ui/forms/field.tsx";

/** A code of the second factor. Each works once, so the input does not come back. */
export function CodeField(props: { label: string; field: FieldState; hint?: string; digits?: boolean }) {
  const { digits = false, field, ...rest } = props;
  // Read one by one: Conform's field object has no own properties that a spread would copy.
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
