/** `<output data-range="id">` shows the value of the slider with that id; without script it keeps the value from the server. */
export function startRange(): void {
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
    const output = document.querySelector(`[data-range="${target.id}"]`);
    if (output !== null) output.textContent = target.value;
  });
}
