import { keepRoomsLive } from "./live-rooms.ts";

/** A column beside a room is filled only where the window is wide enough to show it; the list's own page is always live. */
const column = matchMedia("(min-width: 90rem)");

const startVisible = () => {
  for (const box of document.querySelectorAll<HTMLElement>("[data-rooms-live]:not([data-started])")) {
    if (box.dataset.column !== undefined && !column.matches) continue;
    box.dataset.started = "";
    keepRoomsLive(box);
  }
};

startVisible();
column.addEventListener("change", startVisible);
