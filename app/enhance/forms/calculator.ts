/**
 * `<form data-calculator>` asks its own address, or the one that the attribute names, and answers in place while it is being filled
 * in: parts marked `data-calculated` come anew out of what it says. `data-asks` names the fields that are asked with, all of them
 * unless it is there. Without script the form simply leads where it leads.
 */
export function startCalculator(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-calculator]") : null;
    if (form === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => void refreshCalculation(form), 300);
  });
}

let requestCount = 0;

async function refreshCalculation(form: HTMLFormElement): Promise<void> {
  const turn = ++requestCount;
  const { calculator = "", asks } = form.dataset;
  const elsewhere = calculator.startsWith("/");
  const fields = [...new FormData(form)].filter(
    ([name]) => asks === undefined || asks.split(" ").includes(name),
  );
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  const reply = await fetch(`${elsewhere ? calculator : location.pathname}?${query}`).catch(() => undefined);
  if (reply === undefined) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  // An answer that comes after a later question is of no more use.
  if (turn !== requestCount) return;
  const root = elsewhere ? form : document;
  for (const part of root.querySelectorAll("[data-calculated]")) {
    const name = part.getAttribute("data-calculated");
    const fresh = page.querySelector(`[data-calculated="${name}"]`);
    // The part itself stays: a screen reader tells what changes inside it.
    if (fresh !== null) part.replaceChildren(...fresh.childNodes);
  }
}
