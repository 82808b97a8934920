import type { ServerWebSocket } from "bun";
import { Elysia } from "elysia";
import { type Actor, isForeignOrigin, requireUser, withActor } from "#modules/identity";
import { closeCodes } from "./close-codes.ts";
import { Connection } from "./connection.ts";
import type { Hub } from "./hub.ts";
import { ListConnection } from "./list/list-connection.ts";
import { openRoomSocket } from "./operations.ts";
import { noteRefusedSocket } from "./refused-sockets.ts";
import { hubOf } from "./socket-lifecycle.ts";

/**
 * `/ws?roomId=…&userId=…`, and `/ws?list=rooms&userId=…` for the list of a member's rooms, where `except=…` leaves out the room that the
 * page shows. A page of another site gets 403. Anyone else is upgraded, and a socket that may not stay is closed with its code: without a
 * session (4401), of somebody who must agree to new documents first (4402), with another's `userId` (4403), of a non-member (4404). Bun calls `open`, `message` and `close` of the object passed to the upgrade (Elysia's own `.ws` does so too, but
 * would hold the whole request for as long as the socket lives). `socketOptions` must be the `websocket` options of the root instance.
 */
export const roomsSocket = new Elysia({ name: "rooms.socket" }).use(withActor).get(
  "/ws",
  ({ request, server, actor, query, set }) => {
    if (isForeignOrigin(request.headers)) {
      set.status = 403;
      return { ok: false, code: "BAD_ORIGIN" };
    }
    const hub = server === null ? undefined : hubOf(server);
    if (
      hub === undefined ||
      hub.closed ||
      !server?.upgrade(request, { data: handlersOf(hub, actor, query) })
    ) {
      set.status = 400;
      return { ok: false, code: "BAD_REQUEST" };
    }
  },
  { detail: openRoomSocket },
);

function handlersOf(hub: Hub, actor: Actor, query: Record<string, string | undefined>) {
  const user = requireUser(actor);
  const { roomId, userId, list, except } = query;
  const closedWith = (code: number) => closeImmediately(code, actor, Number(roomId));
  if (!user.ok)
    return closedWith(user.code === "CONSENT_REQUIRED" ? closeCodes.consentRequired : closeCodes.noSession);
  // Checks the client's own state; it does not authenticate anyone.
  if (userId !== undefined && userId !== String(user.member.userId)) return closedWith(closeCodes.notTheUser);
  if (list === "rooms") return new ListConnection(hub, user.member, parseRoomId(except));
  const id = parseRoomId(roomId);
  return id === undefined ? closedWith(closeCodes.notAMember) : new Connection(hub, user.member, id);
}

function parseRoomId(given: string | undefined): number | undefined {
  const id = Number(given);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function closeImmediately(code: number, actor: Actor, roomId: number) {
  noteRefusedSocket(code, actor, roomId);
  return { open: (socket: ServerWebSocket<unknown>) => socket.close(code) };
}
