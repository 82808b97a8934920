/**
 * Keeps a person present in their room while a page of it other than the conversation is open
 * (`<span data-present-in="<room>" data-me="<person>">`), as when the vault is filled in. The rest is loaded only there.
 */
export function startRoomPresence(): void {
  const { presentIn, me } = document.querySelector<HTMLElement>("[data-present-in]")?.dataset ?? {};
  if (presentIn === undefined || me === undefined) return;
  import("./rooms/page-presence.ts").then(
    ({ tellPresence }) => tellPresence(presentIn, me),
    () => undefined,
  );
}
