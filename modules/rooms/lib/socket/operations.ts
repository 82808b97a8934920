import { z } from "zod";
import { describeCall, type Unrefused } from "#calls";
import { readInput, sendMessageInput } from "../../forms.ts";
import { messageSchema, publicParticipantSchema, roleSchema } from "../core/responses.ts";
import { clientFrameSchemas } from "./client-frame.ts";
import { presenceStatuses } from "./presence.ts";

const dateTimeSchema = z.iso.datetime();

const storedMessageSchema = z.object({ seq: z.int(), payload: messageSchema });
const tradeStatusSchema = z.object({ transactionId: z.int(), status: z.string() });

/** The client's frames, with the fields that the called functions read from their contents. */
const clientFramesSchema = z.discriminatedUnion("type", [
  clientFrameSchemas.chat.extend({ payload: sendMessageInput.omit({ clientId: true }) }),
  clientFrameSchemas.userStatus,
  clientFrameSchemas.typingStart,
  clientFrameSchemas.typingEnd,
  clientFrameSchemas.read.extend(readInput.shape),
  clientFrameSchemas.ping,
]);

const serverFramesSchema = z.discriminatedUnion("type", [
  storedMessageSchema.extend({ type: z.literal("chat") }),
  storedMessageSchema.extend({ type: z.literal("image") }),
  storedMessageSchema.extend({ type: z.literal("payment") }),
  z.object({
    type: z.literal("ack"),
    clientId: z.string().nullable(),
    seq: z.int(),
    id: z.int(),
  }),
  z.object({
    type: z.literal("refused"),
    clientId: z.string().optional(),
    code: z.string(),
    message: z.string(),
    retryAfterSeconds: z.int().optional(),
  }),
  z.object({ type: z.literal("read"), userId: z.int(), seq: z.int() }),
  z.object({ type: z.literal("rooms_changed") }),
  z.object({ type: z.literal("heartbeat"), seq: z.int(), time: dateTimeSchema }),
  z.object({
    type: z.literal("user_status"),
    userId: z.int(),
    status: z.enum(presenceStatuses),
    timestamp: dateTimeSchema,
  }),
  z.object({ type: z.enum(["typing_start", "typing_end"]), userId: z.int() }),
  z.object({
    type: z.enum(["user_join", "user_leave"]),
    payload: z.object({ user: publicParticipantSchema, participants: z.array(publicParticipantSchema) }),
  }),
  z.object({
    type: z.literal("user_role_update"),
    payload: z.object({ buyerId: z.int().nullable(), sellerId: z.int().nullable() }),
  }),
  z.object({ type: z.enum(["transaction_update", "status_update"]), data: tradeStatusSchema }),
  z.object({
    type: z.literal("transaction_confirmation"),
    data: tradeStatusSchema.extend({ command: z.string(), who: roleSchema }),
  }),
  z.object({
    type: z.literal("info_exchange"),
    data: z.object({
      transactionId: z.int(),
      side: roleSchema,
      event: z.enum(["bankInfo", "shared", "confirmed", "refundDestination"]),
      both: z.boolean().optional(),
    }),
  }),
]);

export const openRoomSocket = describeCall<Unrefused>({
  summary:
    "Open a room's socket; close codes: 4401 no session, 4402 new documents to agree to (`CONSENT_REQUIRED`), 4403 another `userId`, 4404 not a member, 4429 too many",
  group: "Rooms",
  by: "anybody",
  query: z.object({
    roomId: z.string().optional(),
    userId: z.string().optional(),
    list: z
      .string()
      .optional()
      .describe(
        "`rooms`, in place of `roomId`: a socket that only says `rooms_changed` when something changes in one of your rooms.",
      ),
  }),
  refuses: { BAD_REQUEST: true },
  frames: { client: clientFramesSchema, server: serverFramesSchema },
});
