/** What a person has typed into one form. */
interface FilledForm {
  form: string;
  fields: Array<[name: string, value: string]>;
}

/**
 * Collects the text input of a part's forms that differs from the server's HTML; in a part marked `data-kept` (a refused form or a
 * review), that of every form. `except` is a form that was accepted.
 */
export function collectFilledForms(part: HTMLElement, except: HTMLFormElement | undefined): FilledForm[] {
  const kept = part.dataset.kept !== undefined;
  return [...part.querySelectorAll("form")]
    .filter((form) => form !== except && (kept || isChanged(form)))
    .map((form) => ({ form: nameOf(form), fields: textFieldsOf(form) }));
}

/** Fills in collected input again where the part still has the form, and opens the disclosure around it. */
export function refillForms(part: HTMLElement, filled: FilledForm[]): void {
  const forms = [...part.querySelectorAll("form")];
  for (const { form: name, fields } of filled) {
    const form = forms.find((one) => nameOf(one) === name && !one.hasAttribute("data-review"));
    if (form === undefined) continue;
    const changes = fields.filter(([field, value]) => fillIn(form.elements.namedItem(field), value));
    if (changes.length > 0) form.closest("details")?.setAttribute("open", "");
  }
}

/** The name by which the server tells a page's forms apart. */
export function nameOf(form: HTMLFormElement): string {
  return form.querySelector<HTMLInputElement>("input[name=form]")?.value ?? "";
}

/** The text fields of a form, as they are posted. */
export function textFieldsOf(form: HTMLFormElement): Array<[string, string]> {
  return [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string");
}

function isChanged(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (field instanceof HTMLSelectElement) return isSelectChanged(field);
    if (!(field instanceof HTMLInputElement) || field.type === "hidden") return false;
    if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  });
}

/** Without a selected option in the HTML the browser selects the first. */
function isSelectChanged({ options, selectedIndex }: HTMLSelectElement): boolean {
  const first = [...options].findIndex((option) => option.defaultSelected);
  return selectedIndex !== Math.max(0, first);
}

/** Fills in a field that a person can see; returns whether that changed it. */
function fillIn(field: Element | RadioNodeList | null, value: string): boolean {
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    const changes = !field.checked;
    field.checked = true;
    return changes;
  }
  const isHidden = field instanceof HTMLInputElement && field.type === "hidden";
  if (field === null || isHidden || !("value" in field) || field.value === value) return false;
  field.value = value;
  return true;
}
