import { z } from "zod";
import { call } from "#calls";
import { readInput, sendMessageInput } from "../../forms.ts";
import { message, participant, role } from "../core/responses.ts";
import { frames } from "./client-frame.ts";
import { statuses } from "./presence.ts";

const moment = z.iso.datetime();

/** Who is in a room as everybody there may know them: nothing to reach them by. */
const face = participant.omit({ email: true, phoneNumber: true, bankAccount: true, readSeq: true });
const stored = z.object({ seq: z.int(), payload: message });
const about = z.object({ transactionId: z.int(), status: z.string() });

/** What a client may say: the frames as they are read, with what the verbs behind them read of their contents. */
const client = z.discriminatedUnion("type", [
  frames.chat.extend({ payload: sendMessageInput.omit({ clientId: true }) }),
  frames.userStatus,
  frames.typingStart,
  frames.typingEnd,
  frames.read.extend(readInput.shape),
  frames.ping,
]);

const server = z.discriminatedUnion("type", [
  stored.extend({ type: z.literal("chat") }),
  stored.extend({ type: z.literal("image") }),
  stored.extend({ type: z.literal("payment") }),
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
  z.object({ type: z.literal("heartbeat"), seq: z.int(), time: moment }),
  z.object({
    type: z.literal("user_status"),
    userId: z.int(),
    status: z.enum(statuses),
    timestamp: moment,
  }),
  z.object({ type: z.enum(["typing_start", "typing_end"]), userId: z.int() }),
  z.object({
    type: z.enum(["user_join", "user_leave"]),
    payload: z.object({ user: face, participants: z.array(face) }),
  }),
  z.object({
    type: z.literal("user_role_update"),
    payload: z.object({ buyerId: z.int().nullable(), sellerId: z.int().nullable() }),
  }),
  z.object({ type: z.enum(["transaction_update", "status_update"]), data: about }),
  z.object({
    type: z.literal("transaction_confirmation"),
    data: about.extend({ command: z.string(), who: role }),
  }),
  z.object({
    type: z.literal("info_exchange"),
    data: z.object({
      transactionId: z.int(),
      side: role,
      event: z.enum(["bankInfo", "shared", "confirmed", "refundDestination"]),
      both: z.boolean().optional(),
    }),
  }),
]);

export const socket = call({
  summary:
    "A room's socket; closed with 4401 without a session, 4403 for another's `userId`, 4404 without a seat, 4429 of too many",
  group: "Rooms",
  by: "anybody",
  query: z.object({ roomId: z.string().optional(), userId: z.string().optional() }),
  refuses: ["BAD_REQUEST"],
  frames: { client, server },
});
