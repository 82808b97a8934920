/**
 * `<form data-calculator>` asks its own address and answers in place while it is being filled in: the block around it comes
 * anew out of the page that the form would have led to. Without script the form simply leads there.
 */
export function startCalculator(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-calculator]")) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(form), 300);
    });
  }
}

let asked = 0;

async function refresh(form: HTMLFormElement): Promise<void> {
  const turn = ++asked;
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const reply = await fetch(`${location.pathname}?${query}`).catch(() => undefined);
  if (reply === undefined) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  // An answer that comes after a later question is of no more use.
  if (turn !== asked) return;
  for (const part of document.querySelectorAll("[data-calculated]")) {
    const name = part.getAttribute("data-calculated");
    const fresh = page.querySelector(`[data-calculated="${name}"]`);
    // The part itself stays: a screen reader tells what changes inside it.
    if (fresh !== null) part.replaceChildren(...fresh.childNodes);
  }
}
