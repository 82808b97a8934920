import { X } from "lucide";
import { accountFieldLimits, saveFilterInput } from "#forms/identity";
import type { SavedFilterList } from "#views/identity";
import { Button } from "../../../ui/forms/button.tsx";
import { Field, FormErrors } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

/** A saved filter as a link; `current` if the page shows it now. */
type FilterShown = Pick<SavedFilterList["filters"][number], "id" | "name"> & { to: string; current: boolean };

interface Props {
  filters: FilterShown[];
  /** Whether the page's address has a filter. */
  present: boolean;
  posted: PostedForm | null;
}

/** The administrator's saved filters of a page as links, and a form to save the current one. */
export function SavedFilters({ filters, present, posted }: Props) {
  const t = useT();
  const saving = posted?.form === "save-filter";
  const fresh = present && !filters.some(({ current }) => current);
  return (
    <>
      {filters.length > 0 && (
        <nav aria-label={t("admin.filters.kept")}>
          <ul className="flex flex-wrap gap-2">
            {filters.map((filter) => (
              <SavedFilter key={filter.id} {...filter} />
            ))}
          </ul>
        </nav>
      )}
      {(fresh || saving) && <SaveFilterForm posted={posted} open={saving} />}
    </>
  );
}

function SavedFilter({ id, name, to, current }: FilterShown) {
  const t = useT();
  return (
    <li
      className={`inline-flex max-w-full items-center rounded-full border ${current ? "border-brand bg-brand-soft" : "border-edge bg-card"}`}
    >
      <a
        href={to}
        aria-current={current ? "true" : undefined}
        className="inline-flex min-h-11 min-w-0 items-center rounded-full pl-4 text-sm font-semibold text-ink no-underline wrap-anywhere"
      >
        {name}
      </a>
      <PersonForm>
        <input type="hidden" name="form" value="drop-filter" />
        <input type="hidden" name="filter" value={id} />
        <button
          type="submit"
          aria-label={t("admin.filters.dropOf", { name })}
          className="grid size-11 cursor-pointer place-items-center rounded-full text-quiet hover:text-bad"
        >
          <Icon of={X} className="size-4" />
        </button>
      </PersonForm>
    </li>
  );
}

function SaveFilterForm({ posted, open }: { posted: PostedForm | null; open: boolean }) {
  const t = useT();
  const [form, fields] = usePostedForm("save-filter", saveFilterInput, posted);
  return (
    <Disclosure id="step-save-filter" summary={t("admin.filters.keep")} open={open}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="save-filter" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t("admin.filters.name")}
          hint={t("admin.filters.nameHint")}
          field={fields.name}
          maxLength={accountFieldLimits.filterName.max}
          autoComplete="off"
        />
        <Button className="justify-self-start">{t("admin.filters.press")}</Button>
      </PersonForm>
    </Disclosure>
  );
}
