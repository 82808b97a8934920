import { z } from "zod";
import { describeCall } from "#calls";
import {
  createRoomInput,
  historyInput,
  joinInput,
  readInput,
  roomListInput,
  sendMessageInput,
} from "../../forms.ts";
import type { createRoom } from "../membership/create-room.ts";
import type { deleteRoom } from "../membership/delete-room.ts";
import type * as invites from "../membership/invite-to-room.ts";
import type { joinByCode } from "../membership/join-room.ts";
import type { leaveRoom } from "../membership/leave-room.ts";
import type { listRooms } from "../membership/list-rooms.ts";
import type * as roles from "../membership/set-role.ts";
import type { readHistory } from "../messages/history.ts";
import type { markRead } from "../messages/mark-read.ts";
import type { sendMessage } from "../messages/send-message.ts";
import type { readRoom } from "./find-room.ts";
import type { listParticipants } from "./participants.ts";
import {
  invitationSchema,
  messageSchema,
  participantSchema,
  roomCardSchema,
  roomSchema,
  successSchema,
} from "./responses.ts";

export const listOwnRooms = describeCall<typeof listRooms>({
  summary:
    "List your rooms, most recently active first; with `before` or `limit`, the `Link` header has the next page",
  group: "Rooms",
  by: "user",
  answers: z.array(roomCardSchema),
  query: roomListInput,
});

export const openNewRoom = describeCall<typeof createRoom>({
  summary: "Open a room",
  group: "Rooms",
  by: "user",
  answers: roomSchema,
  status: [201],
  body: createRoomInput,
  refuses: { ACCOUNT_LIMITED: true, THROTTLED: true },
});

export const joinRoom = describeCall<typeof joinByCode>({
  summary: "Join a room with an invite code",
  group: "Rooms",
  by: "user",
  answers: z.object({ chatRoom: roomSchema }),
  body: joinInput,
  refuses: {
    INVITE_INVALID: true,
    ROOM_FULL: true,
    ACCOUNT_LIMITED: true,
    PERSON_UNAVAILABLE: true,
    THROTTLED: true,
  },
});

export const showRoom = describeCall<typeof readRoom>({
  summary: "Get a room",
  group: "Rooms",
  by: "user",
  answers: roomSchema,
  refuses: { CHAT_ROOM_NOT_FOUND: true },
});

export const deleteOwnRoom = describeCall<typeof deleteRoom>({
  summary: "Delete a room that you opened",
  group: "Rooms",
  by: "user",
  answers: successSchema,
  refuses: { CHAT_ROOM_NOT_FOUND: true, ROOM_CREATOR_ONLY: true, TRADE_UNDER_WAY: true, MONEY_HELD: true },
});

export const leaveJoinedRoom = describeCall<typeof leaveRoom>({
  summary: "Leave a room",
  group: "Rooms",
  by: "user",
  answers: successSchema,
  refuses: { CHAT_ROOM_NOT_FOUND: true, MONEY_HELD: true },
});

export const showParticipants = describeCall<typeof listParticipants>({
  summary: "List the members of a room",
  group: "Rooms",
  by: "user",
  answers: z.array(participantSchema),
  refuses: { CHAT_ROOM_NOT_FOUND: true },
});

export const setRole = describeCall<typeof roles.setRole>({
  summary: "Set a member's role; the other member gets the opposite one",
  group: "Rooms",
  by: "user",
  answers: z.object({ participants: z.array(participantSchema) }),
  refuses: { CHAT_ROOM_NOT_FOUND: true, ROLE_CREATOR_ONLY: true, USER_NOT_FOUND: true, ROLES_LOCKED: true },
});

export const showInvite = describeCall<typeof invites.inviteToRoom>({
  summary: "Get a room's invite",
  group: "Rooms",
  by: "user",
  answers: invitationSchema,
  refuses: { CHAT_ROOM_NOT_FOUND: true },
});

export const renewInvite = describeCall<typeof invites.renewInvite>({
  summary: "Replace a room's invite",
  group: "Rooms",
  by: "user",
  answers: invitationSchema,
  refuses: { CHAT_ROOM_NOT_FOUND: true, THROTTLED: true },
});

export const listMessages = describeCall<typeof readHistory>({
  summary: "List a room's messages: the latest, or those before or after a `seq`",
  group: "Rooms",
  by: "user",
  answers: z.array(messageSchema),
  query: historyInput,
  refuses: { CHAT_ROOM_NOT_FOUND: true },
});

export const setReadMark = describeCall<typeof markRead>({
  summary: "Mark a room as read up to a `seq`",
  group: "Rooms",
  by: "user",
  answers: z.object({ readSeq: z.int() }),
  body: readInput,
  refuses: { CHAT_ROOM_NOT_FOUND: true, THROTTLED: true },
});

export const sendTextMessage = describeCall<typeof sendMessage>({
  summary: "Send a message; a repeated `clientId` returns the first message",
  group: "Rooms",
  by: "user",
  answers: messageSchema,
  status: [201],
  body: sendMessageInput,
  refuses: { CHAT_ROOM_NOT_FOUND: true, CLIENT_ID_REUSED: true, THROTTLED: true },
});
