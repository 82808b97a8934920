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
import {
  invitationSchema,
  messageSchema,
  participantSchema,
  roomCardSchema,
  roomSchema,
  successSchema,
} from "./responses.ts";

export const listOwnRooms = describeCall({
  summary:
    "List your rooms, last active first; with `before` or `limit`, the `Link` header names the next page",
  group: "Rooms",
  by: "user",
  answers: z.array(roomCardSchema),
  query: roomListInput,
});

export const openNewRoom = describeCall({
  summary: "Open a room",
  group: "Rooms",
  by: "user",
  answers: roomSchema,
  status: [201],
  body: createRoomInput,
  refuses: ["ACCOUNT_LIMITED", "THROTTLED"],
});

export const joinRoom = describeCall({
  summary: "Join a room with its invite",
  group: "Rooms",
  by: "user",
  answers: z.object({ chatRoom: roomSchema }),
  body: joinInput,
  refuses: ["INVITE_INVALID", "ROOM_FULL", "ACCOUNT_LIMITED", "PERSON_UNAVAILABLE", "THROTTLED"],
});

export const showRoom = describeCall({
  summary: "Get a room",
  group: "Rooms",
  by: "user",
  answers: roomSchema,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const deleteOwnRoom = describeCall({
  summary: "Delete a room that you opened",
  group: "Rooms",
  by: "user",
  answers: successSchema,
  refuses: ["CHAT_ROOM_NOT_FOUND", "ROOM_CREATOR_ONLY", "TRADE_UNDER_WAY", "MONEY_HELD"],
});

export const leaveJoinedRoom = describeCall({
  summary: "Leave a room",
  group: "Rooms",
  by: "user",
  answers: successSchema,
  refuses: ["CHAT_ROOM_NOT_FOUND", "MONEY_HELD"],
});

export const showParticipants = describeCall({
  summary: "List the members of a room",
  group: "Rooms",
  by: "user",
  answers: z.array(participantSchema),
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const setRole = describeCall({
  summary: "Set a member's role; the other member gets the opposite one",
  group: "Rooms",
  by: "user",
  answers: z.object({ participants: z.array(participantSchema) }),
  refuses: ["CHAT_ROOM_NOT_FOUND", "ROLE_CREATOR_ONLY", "USER_NOT_FOUND", "ROLES_LOCKED"],
});

export const showInvite = describeCall({
  summary: "Get a room's invite",
  group: "Rooms",
  by: "user",
  answers: invitationSchema,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const renewInvite = describeCall({
  summary: "Replace a room's invite",
  group: "Rooms",
  by: "user",
  answers: invitationSchema,
  refuses: ["CHAT_ROOM_NOT_FOUND", "THROTTLED"],
});

export const listMessages = describeCall({
  summary: "List a page of a room's messages: after a `seq`, before one, or the latest",
  group: "Rooms",
  by: "user",
  answers: z.array(messageSchema),
  query: historyInput,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const setReadMark = describeCall({
  summary: "Mark a room as read up to a `seq`",
  group: "Rooms",
  by: "user",
  answers: z.object({ readSeq: z.int() }),
  body: readInput,
  refuses: ["CHAT_ROOM_NOT_FOUND", "THROTTLED"],
});

export const sendTextMessage = describeCall({
  summary: "Send a message; repeating a `clientId` returns the first message",
  group: "Rooms",
  by: "user",
  answers: messageSchema,
  status: [201],
  body: sendMessageInput,
  refuses: ["CHAT_ROOM_NOT_FOUND", "CLIENT_ID_REUSED", "THROTTLED"],
});
