/** `<output data-range="id">` says what the slider of that id stands at; without script it says what the page came with. */
export function startRange(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
    const output = document.querySelector(`[data-range="${target.id}"]`);
    if (output !== null) output.textContent = target.value;
  });
}
