import { z } from "zod";
import type { JsonView } from "#calls";
import type { RoomCard } from "../membership/list-rooms.ts";
import type { Room } from "./find-room.ts";
import type { Message } from "./message.ts";
import type { Participant } from "./participants.ts";

const dateTimeSchema = z.iso.datetime();

export const roleSchema = z.enum(["buyer", "seller"]).meta({ id: "Role" });

export const participantSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    displayName: z.string(),
    role: roleSchema,
    avatarInitials: z.string(),
    email: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
    readSeq: z.int().describe("The last message they have read."),
  })
  .meta({ id: "Participant" }) satisfies z.ZodType<JsonView<Participant>>;

const messageTypeSchema = z
  .enum(["text", "image", "system", "payment", "payment_qr"])
  .meta({ id: "MessageType" });

export const messageSchema = z
  .object({
    id: z.int(),
    roomId: z.int(),
    seq: z.int(),
    senderId: z.int().nullable().describe("Null for what the server says."),
    clientId: z.string().nullable(),
    type: messageTypeSchema,
    content: z
      .string()
      .describe(
        "The text to show. For `payment` and `payment_qr`, JSON with the payment's figures, which a chat does not show.",
      ),
    imageUrl: z.string().nullable(),
    image: z
      .object({ width: z.int(), height: z.int(), small: z.string(), full: z.string(), caption: z.string() })
      .optional()
      .describe(
        'Only a picture has one. Sizes are those of `full`; `caption` is the sender\'s own, "" where they gave none.',
      ),
    createdAt: dateTimeSchema,
    notice: z
      .object({
        code: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
        text: z.string(),
        person: z
          .object({ id: z.int(), displayName: z.string(), avatarInitials: z.string() })
          .optional()
          .describe("Which member it speaks of; their name is no part of the words."),
      })
      .optional()
      .describe("Only the server's messages have one: what happened, apart from the words for it."),
  })
  .meta({ id: "Message" }) satisfies z.ZodType<JsonView<Message>>;

export const roomSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: dateTimeSchema,
    createdById: z.int(),
    inviteCode: z.string().nullable(),
    status: z.enum(["active", "inactive"]).describe("Inactive once its trade has ended."),
    participants: z.array(participantSchema),
    role: roleSchema.describe("The reader's own seat."),
  })
  .meta({ id: "Room" }) satisfies z.ZodType<JsonView<Room>>;

export const roomCardSchema = roomSchema
  .extend({
    lastMessage: messageSchema
      .nullable()
      .describe("The last thing said that the reader may see; payments are not said."),
    unread: z
      .int()
      .describe("What others said and the server told since the reader last read, counted up to 100."),
    activityAt: dateTimeSchema.describe("When something last happened there, ISO 8601."),
  })
  .meta({ id: "RoomCard" }) satisfies z.ZodType<JsonView<RoomCard>>;

export const successSchema = z.object({ success: z.boolean() });
export const invitationSchema = z
  .object({ inviteCode: z.string(), inviteLink: z.string() })
  .meta({ id: "Invitation" });
