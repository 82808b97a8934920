/** Scrolls what a person opens into view where it would be below the edge of its window or sheet. Menus place themselves. */
export function startShowOpened(): void {
  document.addEventListener("click", ({ target }) => {
    const opened = target instanceof Element ? target.closest("summary")?.parentElement : null;
    if (!(opened instanceof HTMLDetailsElement) || opened.open || opened.matches("[data-menu]")) return;
    const show = () => {
      if (opened.open) opened.scrollIntoView({ block: "nearest" });
    };
    opened.addEventListener("toggle", show, { once: true });
  });
}
