/**
 * Names the person whose page this is. Another may have signed in at this browser since: nothing is posted in their name, and their parts of
 * a room are not shown on this page.
 */
export function readerHeaders(): Record<string, string> {
  const { user } = document.querySelector<HTMLElement>("[data-in-place]")?.dataset ?? {};
  return user === undefined ? {} : { "X-Midman-User": user };
}
