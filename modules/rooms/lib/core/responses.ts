import { z } from "zod";
import { memberRoles, messageTypes } from "./schema.ts";

// Times are ISO 8601.
const momentSchema = z.iso.datetime();

export const roleSchema = z.enum(memberRoles).meta({ id: "Role" });

/** A member as shown to everyone in the room; frames contain no more than this. */
export const publicParticipantSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  role: roleSchema,
  avatarInitials: z.string(),
});
export type PublicParticipant = z.output<typeof publicParticipantSchema>;

/** A member; the other member's phone number, bank account and email may be masked. */
export const participantSchema = publicParticipantSchema
  .extend({
    email: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    bankAccount: z.string().nullable(),
    readSeq: z.int().describe("The `seq` of the last message they have read."),
    lastSeenAt: momentSchema
      .nullable()
      .describe("When they were last in the room, to the minute. Null before the first time."),
  })
  .meta({ id: "Participant" });
export type Participant = z.output<typeof participantSchema>;

const messageTypeSchema = z.enum(messageTypes).meta({ id: "MessageType" });

/** A message as its reader receives it. `clientId` was chosen by the sender's device. */
export const messageSchema = z
  .object({
    id: z.int(),
    roomId: z.int(),
    seq: z.int(),
    senderId: z.int().nullable().describe("Null for the server's messages."),
    clientId: z.string().nullable(),
    type: messageTypeSchema,
    content: z
      .string()
      .describe(
        "The text to show. For `payment` and `payment_qr`, JSON with the payment's figures; don't show it in the chat.",
      ),
    imageUrl: z.string().nullable(),
    image: z
      .object({ width: z.int(), height: z.int(), small: z.string(), full: z.string(), caption: z.string() })
      .optional()
      .describe(
        'Set for pictures only. The sizes are those of `full`; `caption` is the sender\'s text, "" if there is none.',
      ),
    file: z
      .object({ name: z.string(), bytes: z.int(), url: z.string(), caption: z.string() })
      .optional()
      .describe(
        'Set instead of `image` for a PDF: its name, which Midman makes, its size, and the address to download it from; `caption` is the sender\'s text, "" if there is none.',
      ),
    createdAt: momentSchema,
    replyTo: z
      .object({
        seq: z.int(),
        senderId: z.int(),
        type: z.enum(["text", "image"]),
        content: z.string().describe('The beginning of its text or caption, "" if it has none.'),
      })
      .optional()
      .describe("The message that this one replies to, if you may see it."),
    notice: z
      .object({
        code: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
        text: z.string(),
        fact: z
          .string()
          .optional()
          .describe(
            "What happened, without what the notice asks for. Missing if the notice asks for nothing.",
          ),
        person: z
          .object({ id: z.int(), displayName: z.string(), avatarInitials: z.string() })
          .optional()
          .describe("The member concerned. Their name is not part of the text."),
      })
      .optional()
      .describe("Set for the server's messages only: the event itself, apart from its text."),
  })
  .meta({ id: "Message" });
export type Message = z.output<typeof messageSchema>;
/** The message that a reply quotes. */
export type Quote = NonNullable<Message["replyTo"]>;

/** A room as one of its members sees it. */
export const roomSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    createdAt: momentSchema,
    createdById: z.int(),
    inviteCode: z.string().nullable(),
    status: z.enum(["active", "inactive"]).describe("Inactive once its trade has ended."),
    participants: z.array(participantSchema),
    role: roleSchema.describe("Your own role."),
  })
  .meta({ id: "Room" });
export type Room = z.output<typeof roomSchema>;

/** A room in its member's list. */
export const roomCardSchema = roomSchema
  .extend({
    lastMessage: messageSchema.nullable().describe("The last message you can see, except payment messages."),
    unread: z
      .int()
      .describe(
        "Number of messages and notices since you last read, up to 100. Your own messages and notices of what you did don't count.",
      ),
    activityAt: momentSchema.describe("When something last happened in the room, ISO 8601."),
  })
  .meta({ id: "RoomCard" });
export type RoomCard = z.output<typeof roomCardSchema>;

export const successSchema = z.object({ success: z.boolean() });
export const invitationSchema = z
  .object({ inviteCode: z.string(), inviteLink: z.string() })
  .meta({ id: "Invitation" });
