import { Field, type FieldState } from "../field.tsx";

/** A code of the second factor. Each works once, so what was typed does not come back. */
export function CodeField(props: { label: string; field: FieldState; hint?: string; digits?: boolean }) {
  const { digits = false, field, ...rest } = props;
  return (
    <Field
      {...rest}
      field={{ ...field, initialValue: undefined }}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      inputMode={digits ? "numeric" : "text"}
    />
  );
}
