/**
 * Requests a form's result while the form is being filled in. `<form data-calculator>` sends its fields to the page's own address, or to
 * the one in the attribute, and replaces the parts marked `data-calculated` with those of the response. `data-asks` lists the fields to
 * send; without it all are sent. Without script the form submits as usual.
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
  // A newer request has been sent; this response is out of date.
  if (turn !== requestCount) return;
  const root = elsewhere ? form : document;
  for (const part of root.querySelectorAll("[data-calculated]")) {
    const name = part.getAttribute("data-calculated");
    const fresh = page.querySelector(`[data-calculated="${name}"]`);
    // The part itself stays in the document: a screen reader announces only what changes inside it.
    if (fresh !== null) part.replaceChildren(...fresh.childNodes);
  }
}
