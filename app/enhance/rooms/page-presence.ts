import { changesTrade } from "../../islands/room/connection/panel-frames.ts";
import { openReconnectingSocket } from "../../islands/room/connection/reconnecting-socket.ts";
import { oneAtATime } from "../../islands/room/one-at-a-time.ts";
import { watchPresence } from "../../islands/room/presence/presence.ts";
import { isFrame, parseJson } from "../../islands/room/wire-data.ts";
import { refreshParts } from "../in-place/parts.ts";

/**
 * Opens the room's socket for as long as the page is open. It says whether the page's reader is there, and keeps a page up to date that is
 * marked `[data-live]`.
 */
export function keepPresent(roomId: string, me: string): void {
  const refresh = oneAtATime(() => refreshLivePage(() => void refresh()));
  const connection = openReconnectingSocket(`roomId=${roomId}&userId=${me}`, {
    onOpen() {
      presence.reportAgain();
      void refresh();
    },
    onClose() {},
    onFrame(data) {
      const frame = parseJson(data, isFrame);
      if (frame !== undefined && changesTrade(frame.type)) void refresh();
    },
    onDenied: () => presence.stop(),
  });
  const presence = watchPresence((status) => connection.send({ type: "user_status", status }));
}

/**
 * Fetches the page again and shows the parts that differ. The mark may have gone with the answer to a form, as once the vault's content is on
 * the page: no other request shows it, so nothing may take its place.
 */
async function refreshLivePage(again: () => void): Promise<void> {
  if (document.querySelector("[data-live]") === null) return;
  await refreshParts(location.href, again);
}
