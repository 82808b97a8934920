import { CircleAlert, Eye, EyeOff } from "lucide";
import type {
  HTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { unpackMessage } from "#format";
import { useT, useText } from "../frame/i18n.tsx";
import { Icon } from "../layout/icon.tsx";

/** Conform's state of one field. */
export interface FieldState {
  id: string;
  name: string;
  errors?: string[] | undefined;
  errorId: string;
  initialValue?: unknown;
}

const inputClasses =
  "w-full min-h-11 rounded-control border border-edge bg-card px-3 py-2 text-base text-ink placeholder:text-quiet [&[readonly]]:bg-sunk aria-invalid:border-2 aria-invalid:border-bad";

interface FieldProps {
  label: string;
  field: FieldState;
  hint?: string;
}

/** Attributes that tell keyboards and password managers that a field takes an email address. */
export const emailInputProps = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
} as const;

/** The same for a field that takes the person's own username. */
export const usernameInputProps = {
  autoComplete: "username",
  autoCapitalize: "none",
  spellCheck: false,
} as const;

/** The same for a field where a passkey may be chosen instead: browsers list passkeys beside the saved usernames. */
export const passkeyInputProps = { ...usernameInputProps, autoComplete: "username webauthn" } as const;

type InputFieldProps = FieldProps & InputHTMLAttributes<HTMLInputElement>;

/** A labelled input with its errors. The input comes back after an error. `unit` is shown inside, at the end: ₮. */
export function Field({ label, field, hint, unit, ...rest }: InputFieldProps & { unit?: string }) {
  const input = (
    <input
      className={`${inputClasses} ${unit ? "pr-10 tabular-nums" : ""}`}
      defaultValue={textOf(field.initialValue)}
      {...fieldAttributes(field, hint)}
      {...rest}
    />
  );
  return (
    <LabelledField label={label} field={field} hint={hint}>
      {unit ? (
        <span className="relative block">
          {input}
          <span aria-hidden="true" className="absolute inset-y-0 right-3 grid items-center text-quiet">
            {unit}
          </span>
        </span>
      ) : (
        input
      )}
    </LabelledField>
  );
}

/** A labelled password field: its value is never sent back, can be pasted, and can be shown by a button that a script adds. */
export function PasswordField({ label, field, hint, ...rest }: InputFieldProps) {
  const t = useT();
  return (
    <LabelledField label={label} field={field} hint={hint}>
      <span className="relative block">
        <input
          className={`${inputClasses} pr-12`}
          type="password"
          autoCapitalize="none"
          spellCheck={false}
          {...fieldAttributes(field, hint)}
          {...rest}
        />
        <button
          type="button"
          hidden
          data-show={field.id}
          aria-pressed="false"
          aria-label={t("auth.showPassword")}
          className="group absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center text-quiet [[hidden]]:hidden"
        >
          <Icon of={Eye} className="size-5 group-aria-pressed:hidden" />
          <Icon of={EyeOff} className="hidden size-5 group-aria-pressed:block" />
        </button>
      </span>
    </LabelledField>
  );
}

/** A labelled multi-line text field. */
export function TextField({
  label,
  field,
  hint,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <LabelledField label={label} field={field} hint={hint}>
      <textarea
        className={inputClasses}
        rows={3}
        defaultValue={textOf(field.initialValue)}
        {...fieldAttributes(field, hint)}
        {...rest}
      />
    </LabelledField>
  );
}

/** A labelled select. */
export function Select({
  label,
  field,
  hint,
  options,
  ...rest
}: FieldProps &
  SelectHTMLAttributes<HTMLSelectElement> & { options: Array<{ value: string; label: string }> }) {
  return (
    <LabelledField label={label} field={field} hint={hint}>
      <select
        className={inputClasses}
        defaultValue={textOf(field.initialValue)}
        {...fieldAttributes(field, hint)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {capitalizeLabel(option.label)}
          </option>
        ))}
      </select>
    </LabelledField>
  );
}

/** Capitalises an option, whose text may come from the middle of a sentence. */
function capitalizeLabel(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

/** A few radio buttons. */
export function ChoiceField(
  props: FieldProps & {
    options: Array<{ value: string; label: string; hint?: ReactNode }>;
    /** Stacks the options even on wide screens, for whole sentences. */
    stacked?: boolean;
  },
) {
  const { label, field, hint, options, stacked = false } = props;
  const { id: _, autoFocus: __, ...wires } = fieldAttributes(field, hint);
  return (
    <fieldset className="@container grid gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className={`grid gap-2 ${stacked ? "" : "@md:auto-cols-fr @md:grid-flow-col"}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-edge bg-card px-3 py-2 has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold"
          >
            <input
              type="radio"
              className="mt-1 size-5 shrink-0 appearance-none rounded-full border border-edge bg-card checked:border-[6px] checked:border-brand"
              value={option.value}
              defaultChecked={textOf(field.initialValue) === option.value}
              {...wires}
            />
            <span className="mt-0.5 grid min-w-0 wrap-anywhere">
              {capitalizeLabel(option.label)}
              {option.hint && <span className="text-sm font-normal text-quiet">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes field={field} hint={hint} />
    </fieldset>
  );
}

/** A checkbox. */
export function CheckboxField({ label, field, hint, ...rest }: InputFieldProps) {
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-brand"
          defaultChecked={field.initialValue === "on" || field.initialValue === true}
          {...fieldAttributes(field, hint)}
          {...rest}
        />
        <span className="font-semibold">{label}</span>
      </label>
      <div className="pl-8 empty:hidden">
        <FieldNotes field={field} hint={hint} />
      </div>
    </div>
  );
}

function LabelledField({ label, field, hint, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={field.id} className="font-semibold">
        {label}
      </label>
      {children}
      <FieldNotes field={field} hint={hint} />
    </div>
  );
}

/** The hint and the errors of a field. */
function FieldNotes({ field, hint }: { field: FieldState; hint: string | undefined }) {
  return (
    <>
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <ErrorMessages id={field.errorId} errors={field.errors} />
    </>
  );
}

/**
 * The errors of a form as a whole. They take the focus when the page opens, since a screen reader does not announce text that was there
 * from the start.
 */
export function FormErrors(props: { id: string; errors?: string[] | undefined; autoFocus?: boolean }) {
  const { autoFocus = true, ...rest } = props;
  return <ErrorMessages {...rest} tabIndex={-1} {...{ autoFocus }} boxed />;
}

/** Error messages as text; nothing if there are none. */
export function ErrorMessages({
  errors,
  boxed = false,
  ...rest
}: { id: string; errors?: string[] | undefined; boxed?: boolean } & HTMLAttributes<HTMLParagraphElement>) {
  const text = useText();
  if (errors === undefined || errors.length === 0) return null;
  const said = errors.map((message) => unpackMessage(message)).map(({ key, params }) => text(key, params));
  return (
    <p
      role="alert"
      className={`flex gap-2 text-sm font-semibold text-bad ${boxed ? "rounded-control border border-bad/30 bg-bad-soft px-4 py-3" : ""}`}
      {...rest}
    >
      <Icon of={CircleAlert} className="size-5" />
      <span className="min-w-0 wrap-anywhere">{[...new Set(said)].join(" ")}</span>
    </p>
  );
}

function fieldAttributes(field: FieldState, hint: string | undefined) {
  const invalid = (field.errors?.length ?? 0) > 0;
  const described = [invalid && field.errorId, hint && `${field.id}-hint`].filter(Boolean).join(" ");
  return {
    id: field.id,
    name: field.name,
    "aria-invalid": invalid || undefined,
    "aria-describedby": described || undefined,
    // The first invalid field has the focus when the form comes back.
    ...(invalid && { autoFocus: true }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
