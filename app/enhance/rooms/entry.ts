/**
 * A column beside a room is filled only where the window is wide enough to show it; elsewhere only the number of unread messages in the
 * other rooms is kept up to date. The list's own page is always live.
 */
const column = matchMedia("(min-width: 90rem)");
/** A list that came with the page is up to date so far: what keeps it so does not compete with the page itself. */
const startAfterMs = 1_000;

const startLive = () => {
  for (const box of document.querySelectorAll<HTMLElement>("[data-rooms-live]:not([data-started])")) {
    box.dataset.started = "";
    if (box.dataset.column !== undefined && column.matches) void keepLive(box);
    else afterLoad(() => void keepLive(box));
  }
};

/** Without a network the list stays as it came; the next page tries again. */
async function keepLive(box: HTMLElement): Promise<void> {
  const loaded = await import("./live-rooms.ts").catch(() => undefined);
  loaded?.keepRoomsLive(box, column);
}

function afterLoad(start: () => void): void {
  const wait = () => setTimeout(start, startAfterMs);
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

/** The drafts of the rooms that the page shows. */
async function fillDrafts(): Promise<void> {
  if (document.querySelector("[data-draft-of]") === null) return;
  const loaded = await import("./shown-drafts.ts").catch(() => undefined);
  loaded?.showDrafts();
}

/** On a page of a room other than the conversation: its reader is present there while it is open, as when the vault is filled in. */
async function stayPresent(): Promise<void> {
  const { presentIn, me } = document.querySelector<HTMLElement>("[data-present-in]")?.dataset ?? {};
  if (presentIn === undefined || me === undefined) return;
  const loaded = await import("./page-presence.ts").catch(() => undefined);
  loaded?.keepPresent(presentIn, me);
}

/** From the first press on: a browser plays nothing before. */
async function startSound(): Promise<void> {
  for (const type of presses) removeEventListener(type, startSound);
  const loaded = await import("./message-sound.ts").catch(() => undefined);
  loaded?.startMessageSound();
}

const presses = ["pointerdown", "keydown"];
for (const type of presses) addEventListener(type, startSound);
startLive();
void fillDrafts();
void stayPresent();
document.addEventListener("rooms-swapped", () => void fillDrafts());
