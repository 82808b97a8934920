import { CircleAlert, Eye, EyeOff } from "lucide";
import type {
  HTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";
import { useT, useText } from "../frame/i18n.tsx";
import { Icon } from "../layout/icon.tsx";
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
  "w-full min-h-11 rounded-control border border-edge bg-card px-3 py-2 text-base text-ink placeholder:text-quiet [&[readonly]]:bg-sunk aria-invalid:border-2 aria-invalid:border-bad";

interface Common {
  label: string;
  field: FieldState;
  hint?: string;
}

/** What tells keyboards and password managers that a field takes an e-mail address. */
export const takesEmail = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
} as const;

/** The same of a field that takes one's own username. */
export const takesUsername = { autoComplete: "username", autoCapitalize: "none", spellCheck: false } as const;

/** The same where a passkey may be chosen in place of a name: browsers list those they have beside the names they know. */
export const takesPasskey = { ...takesUsername, autoComplete: "username webauthn" } as const;

type Input = Common & InputHTMLAttributes<HTMLInputElement>;

/** A labelled input with its errors beside it. What was typed comes back. `unit` stands inside, at the end: ₮. */
export function Field({ label, field, hint, unit, ...rest }: Input & { unit?: string }) {
  const input = (
    <input
      className={`${box} ${unit ? "pr-10 tabular-nums" : ""}`}
      defaultValue={textOf(field.initialValue)}
      {...wiring(field, hint)}
      {...rest}
    />
  );
  return (
    <Labelled label={label} field={field} hint={hint}>
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
    </Labelled>
  );
}

/** A labelled password: never sent back, may be pasted, and shown to who types it by the button that a script brings. */
export function PasswordField({ label, field, hint, ...rest }: Input) {
  const t = useT();
  return (
    <Labelled label={label} field={field} hint={hint}>
      <span className="relative block">
        <input
          className={`${box} pr-12`}
          type="password"
          autoCapitalize="none"
          spellCheck={false}
          {...wiring(field, hint)}
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
            {capital(option.label)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A choice stands alone, whatever sentence its words come from. */
function capital(label: string): string {
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

/** A few choices of which one is taken, each a press away. */
export function Choices(
  props: Common & {
    options: Array<{ value: string; label: string; hint?: ReactNode }>;
    /** One below the other also where there is room beside, for whole sentences. */
    stacked?: boolean;
  },
) {
  const { label, field, hint, options, stacked = false } = props;
  const { id: _, autoFocus: __, ...wires } = wiring(field, hint);
  return (
    <fieldset className="@container grid gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className={`grid gap-2 ${stacked ? "" : "@md:auto-cols-fr @md:grid-flow-col"}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-edge bg-card px-3 py-2 has-checked:border-brand has-checked:bg-brand-soft has-checked:font-semibold"
          >
            <input
              type="radio"
              className="size-5 shrink-0 appearance-none rounded-full border border-edge bg-card checked:border-[6px] checked:border-brand"
              value={option.value}
              defaultChecked={textOf(field.initialValue) === option.value}
              {...wires}
            />
            <span className="grid min-w-0 wrap-anywhere">
              {capital(option.label)}
              {option.hint && <span className="text-sm font-normal text-quiet">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <Below field={field} hint={hint} />
    </fieldset>
  );
}

/** Something that is on or off. */
export function Check({ label, field, hint, ...rest }: Input) {
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-brand"
          defaultChecked={field.initialValue === "on" || field.initialValue === true}
          {...wiring(field, hint)}
          {...rest}
        />
        <span className="font-semibold">{label}</span>
      </label>
      <div className="pl-8 empty:hidden">
        <Below field={field} hint={hint} />
      </div>
    </div>
  );
}

function Labelled({ label, field, hint, children }: Common & { children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={field.id} className="font-semibold">
        {label}
      </label>
      {children}
      <Below field={field} hint={hint} />
    </div>
  );
}

/** What helps with a field, and what is wrong with it. */
function Below({ field, hint }: { field: FieldState; hint: string | undefined }) {
  return (
    <>
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <Messages id={field.errorId} errors={field.errors} />
    </>
  );
}

/**
 * What is wrong with a form as a whole. The page that brings it opens with the focus here, since a text that was there
 * from the start is not announced by itself.
 */
export function Errors(props: { id: string; errors?: string[] | undefined; autoFocus?: boolean }) {
  const { autoFocus = true, ...rest } = props;
  return <Messages {...rest} tabIndex={-1} {...{ autoFocus }} boxed />;
}

/** What is wrong, in words; nothing while nothing is. */
export function Messages({
  errors,
  boxed = false,
  ...rest
}: { id: string; errors?: string[] | undefined; boxed?: boolean } & HTMLAttributes<HTMLParagraphElement>) {
  const text = useText();
  if (errors === undefined || errors.length === 0) return null;
  const said = errors.map((message) => unpacked(message)).map(({ key, params }) => text(key, params));
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
