/** Closes an open menu on Escape, returning the focus, and on a click elsewhere. */
export function startMenu(): void {
  const menus = () => document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]");
  document.addEventListener("click", ({ target }) => {
    for (const menu of menus()) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
}
