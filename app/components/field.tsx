import type {
  HTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { useText } from "./i18n.tsx";
import { unpacked } from "./message.ts";

/** What Conform knows of one field. */
export interface FieldState {
  id: string;
  name: string;
  errors?: string[] | undefined;
  errorId: string;
  initialValue?: unknown;
}

const box =
  "w-full min-h-11 rounded-lg border border-line bg-card px-3 py-2 text-base text-ink aria-invalid:border-bad";

interface Common {
  label: string;
  field: FieldState;
  hint?: string;
}

/** A labelled input with its errors beside it. What was typed comes back unless it is a password. */
export function Field({ label, field, hint, ...rest }: Common & InputHTMLAttributes<HTMLInputElement>) {
  const value = rest.type === "password" ? undefined : textOf(field.initialValue);
  return (
    <Labelled label={label} field={field} hint={hint}>
      <input className={box} defaultValue={value} {...wiring(field, hint)} {...rest} />
    </Labelled>
  );
}

/** A labelled text of several lines. */
export function TextField({
  label,
  field,
  hint,
  ...rest
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} field={field} hint={hint}>
      <textarea
        className={box}
        rows={3}
        defaultValue={textOf(field.initialValue)}
        {...wiring(field, hint)}
        {...rest}
      />
    </Labelled>
  );
}

/** A labelled choice out of a few. */
export function Select({
  label,
  field,
  hint,
  options,
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement> & { options: Array<{ value: string; label: string }> }) {
  return (
    <Labelled label={label} field={field} hint={hint}>
      <select className={box} defaultValue={textOf(field.initialValue)} {...wiring(field, hint)} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

function Labelled({ label, field, hint, children }: Common & { children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={field.id} className="text-sm font-semibold">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <Messages id={field.errorId} errors={field.errors} />
    </div>
  );
}

/**
 * What is wrong with a form as a whole. The page that brings it opens with the focus here, since a text that was there
 * from the start is not announced by itself.
 */
export function Errors({ id, errors }: { id: string; errors?: string[] | undefined }) {
  const focus = { autoFocus: true };
  return <Messages id={id} errors={errors} tabIndex={-1} {...focus} />;
}

function Messages({
  errors,
  ...rest
}: { id: string; errors?: string[] | undefined } & HTMLAttributes<HTMLParagraphElement>) {
  const text = useText();
  if (errors === undefined || errors.length === 0) return null;
  const said = errors.map((message) => unpacked(message)).map(({ key, params }) => text(key, params));
  return (
    <p role="alert" className="text-sm font-semibold text-bad" {...rest}>
      {[...new Set(said)].join(" ")}
    </p>
  );
}

function wiring(field: FieldState, hint: string | undefined) {
  const invalid = (field.errors?.length ?? 0) > 0;
  const described = [invalid && field.errorId, hint && `${field.id}-hint`].filter(Boolean).join(" ");
  return {
    id: field.id,
    name: field.name,
    "aria-invalid": invalid || undefined,
    "aria-describedby": described || undefined,
    // The first field that is wrong has the focus when the form comes back.
    ...(invalid && { autoFocus: true }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
