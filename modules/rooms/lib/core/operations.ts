import { z } from "zod";
import { call } from "#calls";
import {
  createRoomInput,
  historyInput,
  joinInput,
  readInput,
  roomListInput,
  sendMessageInput,
} from "../../forms.ts";
import { did, invitation, message, participant, room, roomCard } from "./responses.ts";

export const list = call({
  summary:
    "One's rooms, the last active first; with `before` or `limit` in pages, of which the header `Link` names the next",
  group: "Rooms",
  by: "user",
  answers: z.array(roomCard),
  query: roomListInput.pick({ before: true, limit: true }),
});

export const create = call({
  summary: "Open a room",
  group: "Rooms",
  by: "user",
  answers: room,
  status: [201],
  body: createRoomInput,
  refuses: ["ACCOUNT_LIMITED", "THROTTLED"],
});

export const joinRoom = call({
  summary: "Join a room by its invite",
  group: "Rooms",
  by: "user",
  answers: z.object({ chatRoom: room }),
  body: joinInput,
  refuses: ["INVITE_INVALID", "ROOM_FULL", "ACCOUNT_LIMITED", "PERSON_UNAVAILABLE", "THROTTLED"],
});

export const showRoom = call({
  summary: "A room",
  group: "Rooms",
  by: "user",
  answers: room,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const remove = call({
  summary: "Delete a room that one has opened",
  group: "Rooms",
  by: "user",
  answers: did,
  refuses: ["CHAT_ROOM_NOT_FOUND", "ROOM_CREATOR_ONLY", "TRADE_UNDER_WAY", "MONEY_HELD"],
});

export const leave = call({
  summary: "Leave a room",
  group: "Rooms",
  by: "user",
  answers: did,
  refuses: ["CHAT_ROOM_NOT_FOUND", "MONEY_HELD"],
});

export const participants = call({
  summary: "Who is in a room",
  group: "Rooms",
  by: "user",
  answers: z.array(participant),
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const setRole = call({
  summary: "Give somebody in a room a role; the other one gets the opposite",
  group: "Rooms",
  by: "user",
  answers: z.object({ participants: z.array(participant) }),
  refuses: ["CHAT_ROOM_NOT_FOUND", "ROLE_CREATOR_ONLY", "USER_NOT_FOUND", "ROLES_LOCKED"],
});

export const invite = call({
  summary: "A room's invite",
  group: "Rooms",
  by: "user",
  answers: invitation,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const renewInvite = call({
  summary: "A new invite in place of the former",
  group: "Rooms",
  by: "user",
  answers: invitation,
  refuses: ["CHAT_ROOM_NOT_FOUND", "THROTTLED"],
});

export const listMessages = call({
  summary: "A page of a room's messages: after a `seq`, before one, or the latest",
  group: "Rooms",
  by: "user",
  answers: z.array(message),
  query: historyInput,
  refuses: ["CHAT_ROOM_NOT_FOUND"],
});

export const read = call({
  summary: "Say how far one has read",
  group: "Rooms",
  by: "user",
  answers: z.object({ readSeq: z.int() }),
  body: readInput,
  refuses: ["CHAT_ROOM_NOT_FOUND", "THROTTLED"],
});

export const send = call({
  summary: "Send a message; a repeat with the same `clientId` is answered with the first",
  group: "Rooms",
  by: "user",
  answers: message,
  status: [201],
  body: sendMessageInput,
  refuses: ["CHAT_ROOM_NOT_FOUND", "CLIENT_ID_REUSED", "THROTTLED"],
});
