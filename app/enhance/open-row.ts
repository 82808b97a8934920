/** Opens the row that the address leads into, for browsers that do not open a `<details>` by themselves (Safari, Firefox before 139). */
export function startOpenRow(): void {
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    // One that is open no longer matches: the next is the row around it.
    for (let row = closedRowOf(target); row; row = closedRowOf(target)) {
      row.open = true;
      target?.scrollIntoView();
    }
  };
  open();
  addEventListener("hashchange", open);
}

const closedRowOf = (target: Element | null) => target?.closest<HTMLDetailsElement>("details:not([open])");
