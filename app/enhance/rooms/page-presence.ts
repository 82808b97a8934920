import { openReconnectingSocket } from "../../islands/room/connection/reconnecting-socket.ts";
import { watchPresence } from "../../islands/room/presence/presence.ts";

/** Opens the room's socket for as long as the page is open, only to say whether its reader is there; nothing of the room is shown. */
export function tellPresence(roomId: string, me: string): void {
  const connection = openReconnectingSocket(`roomId=${roomId}&userId=${me}`, {
    onOpen: () => presence.again(),
    onClose() {},
    onFrame() {},
    onDenied: () => presence.stop(),
  });
  const presence = watchPresence((status) => connection.send({ type: "user_status", status }));
}
