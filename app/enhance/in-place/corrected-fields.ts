/**
 * Removes a field's error once its value differs from the refused one and satisfies its `required`, `pattern`, `minlength` and type. The
 * server validates it again.
 */
export function watchCorrections(): void {
  for (const type of ["input", "change"]) {
    document.addEventListener(type, ({ target }) => {
      const isField =
        target instanceof HTMLInputElement ||
        target instanceof HTMLSelectElement ||
        target instanceof HTMLTextAreaElement;
      if (isField && target.getAttribute("aria-invalid") === "true" && isPutRight(target))
        removeError(target);
    });
  }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isPutRight(field: Field): boolean {
  const refused = field instanceof HTMLSelectElement ? "" : field.defaultValue;
  const isAnother = field.type === "radio" || field.type === "checkbox" || field.value !== refused;
  return isAnother && field.validity.valid;
}

function removeError(field: Field): void {
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ");
  const isError = (id: string) => document.getElementById(id)?.getAttribute("role") === "alert";
  for (const id of described.filter(isError)) document.getElementById(id)?.remove();
  const left = described.filter((id) => document.getElementById(id) !== null);
  for (const one of field.form?.elements ?? []) {
    if (!(one instanceof HTMLElement) || one.getAttribute("name") !== field.name) continue;
    one.removeAttribute("aria-invalid");
    if (left.length > 0) one.setAttribute("aria-describedby", left.join(" "));
    else one.removeAttribute("aria-describedby");
  }
}
