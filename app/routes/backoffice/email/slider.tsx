import { ErrorMessages, type FieldState } from "../../../ui/forms/field.tsx";

/** A number chosen with a slider, with its value beside it. */
export function Slider(props: {
  label: string;
  field: FieldState;
  min: number;
  max: number;
  step: number;
  unit: string;
}) {
  const { label, field, unit, ...range } = props;
  const value = String(field.initialValue ?? "");
  return (
    <div className="grid gap-1.5">
      <span className="flex flex-wrap justify-between gap-x-4">
        <label htmlFor={field.id} className="font-semibold">
          {label}
        </label>
        <span className="tabular-nums">
          <output htmlFor={field.id} data-range={field.id}>
            {value}
          </output>
          {unit && ` ${unit}`}
        </span>
      </span>
      <input
        type="range"
        id={field.id}
        name={field.name}
        defaultValue={value}
        aria-invalid={(field.errors?.length ?? 0) > 0 || undefined}
        className="h-11 w-full cursor-pointer accent-brand"
        {...range}
      />
      <ErrorMessages id={field.errorId} errors={field.errors} />
    </div>
  );
}
