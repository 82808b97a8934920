/** Wakes each island of the page: finds its server-rendered HTML and hydrates it with the same props. */
const islands = {
  room: () => import("./room/hydrate.tsx"),
};

for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  const name = element.dataset.island;
  if (name !== undefined && name in islands) {
    const { hydrate } = await islands[name as keyof typeof islands]();
    hydrate(element);
  }
}

export {};
