export { type Broadcast, broadcast } from "./lib/frames.ts";
export { type RoomGuards, registerRoomGuards, type Verdict } from "./lib/guards.ts";
export type { Message } from "./lib/message.ts";
export { type Notice, postNotice } from "./lib/notice.ts";
export type { MessageType, Role } from "./lib/schema.ts";
export { endRoom, lockRoom, memberRole, type Seats, seats } from "./lib/seats.ts";
