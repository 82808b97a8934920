export type { Message, Participant, PublicParticipant, Quote, Room, RoomCard } from "./lib/core/responses.ts";
export type { Role } from "./lib/core/schema.ts";
export type { GroupedRoomCard, RoomGroup, RoomTurn } from "./lib/membership/list-rooms-by-turn.ts";
export type { PresenceChange, PresenceStatus } from "./lib/socket/presence.ts";
