import { Elysia } from "elysia";
import { withActor } from "#modules/identity";
import { pathId as params, roleInput } from "./forms.ts";
import { readRoom } from "./lib/core/find-room.ts";
import * as calls from "./lib/core/operations.ts";
import { listParticipants } from "./lib/core/participants.ts";
import { imageRoutes } from "./lib/images/routes.ts";
import { createRoom } from "./lib/membership/create-room.ts";
import { deleteRoom } from "./lib/membership/delete-room.ts";
import { inviteToRoom, renewInvite } from "./lib/membership/invite-to-room.ts";
import { joinByCode } from "./lib/membership/join-room.ts";
import { leaveRoom } from "./lib/membership/leave-room.ts";
import { listRooms } from "./lib/membership/list-rooms.ts";
import { setRole } from "./lib/membership/set-role.ts";
import { readHistory } from "./lib/messages/history.ts";
import { markRead } from "./lib/messages/mark-read.ts";
import { sendMessage } from "./lib/messages/send-message.ts";
import { roomsSocket } from "./lib/socket/routes.ts";

export { socketOptions } from "./lib/socket/limits.ts";

/** The response to an outcome: a success in the route's shape, or the refusal unchanged. */
async function replyWith<R extends { ok: boolean }, T>(
  outcome: Promise<R>,
  shape: (success: Extract<R, { ok: true }>) => T,
): Promise<T | Exclude<R, { ok: true }>> {
  const answer = await outcome;
  return answer.ok ? shape(answer as Extract<R, { ok: true }>) : (answer as Exclude<R, { ok: true }>);
}

function nextPage(before: string, limit: string | undefined): string {
  return `/api/chat/rooms?${new URLSearchParams({ before, ...(limit !== undefined && { limit }) })}`;
}

const confirmSuccess = () => ({ success: true });

/** The chat calls of the API, and the socket. The functions they call check their own input, whichever route it comes through. */
export const roomsRoutes = new Elysia({ name: "rooms.http" })
  .use(withActor)
  .use(roomsSocket)
  .use(imageRoutes)
  .get(
    "/api/chat/rooms",
    ({ actor, query, set }) => {
      const { before, limit } = query;
      // Without either, returns the whole list, as API clients expect.
      const all = before === undefined && limit === undefined;
      return replyWith(listRooms(actor, { before, limit }, { all }), ({ rooms, next }) => {
        if (next !== null) set.headers.link = `<${nextPage(next, limit)}>; rel="next"`;
        return rooms;
      });
    },
    { detail: calls.listOwnRooms },
  )
  .post(
    "/api/chat/rooms",
    ({ actor, body, set }) =>
      replyWith(createRoom(actor, body), ({ room }) => {
        set.status = 201;
        return room;
      }),
    { detail: calls.openNewRoom },
  )
  .post(
    "/api/chat/join",
    ({ actor, body }) => replyWith(joinByCode(actor, body), ({ chatRoom }) => ({ chatRoom })),
    { detail: calls.joinRoom },
  )
  .get(
    "/api/chat/rooms/:id",
    ({ actor, params }) => replyWith(readRoom(actor, params.id), ({ room }) => room),
    {
      params,
      detail: calls.showRoom,
    },
  )
  .delete(
    "/api/chat/rooms/:id",
    ({ actor, params }) => replyWith(deleteRoom(actor, params.id), confirmSuccess),
    {
      params,
      detail: calls.deleteOwnRoom,
    },
  )
  .post(
    "/api/chat/rooms/:id/leave",
    ({ actor, params }) => replyWith(leaveRoom(actor, params.id), confirmSuccess),
    {
      params,
      detail: calls.leaveJoinedRoom,
    },
  )
  .get(
    "/api/chat/rooms/:id/participants",
    ({ actor, params }) => replyWith(listParticipants(actor, params.id), ({ participants }) => participants),
    { params, detail: calls.showParticipants },
  )
  .post(
    "/api/chat/rooms/:id/participants/:userId/role",
    ({ actor, params, body }) =>
      replyWith(setRole(actor, params.id, params.userId, body.role), ({ participants }) => ({
        participants,
      })),
    { params: params.extend({ userId: params.shape.id }), body: roleInput, detail: calls.setRole },
  )
  .post(
    "/api/chat/rooms/:id/invite",
    ({ actor, params }) =>
      replyWith(inviteToRoom(actor, params.id), ({ ok: _, ...invitation }) => invitation),
    { params, detail: calls.showInvite },
  )
  .post(
    "/api/chat/rooms/:id/invite/renew",
    ({ actor, params }) => replyWith(renewInvite(actor, params.id), ({ ok: _, ...invitation }) => invitation),
    { params, detail: calls.renewInvite },
  )
  .get(
    "/api/chat/rooms/:id/messages",
    ({ actor, params, query }) => replyWith(readHistory(actor, params.id, query), ({ messages }) => messages),
    { params, detail: calls.listMessages },
  )
  .post(
    "/api/chat/rooms/:id/read",
    ({ actor, params, body }) =>
      replyWith(markRead(actor, params.id, (body as { seq?: unknown } | null)?.seq), ({ readSeq }) => ({
        readSeq,
      })),
    { params, detail: calls.setReadMark },
  )
  .post(
    "/api/chat/rooms/:id/messages",
    ({ actor, params, body, set }) =>
      replyWith(sendMessage(actor, params.id, body), ({ message }) => {
        set.status = 201;
        return message;
      }),
    { params, detail: calls.sendTextMessage },
  );
