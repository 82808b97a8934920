import { z } from "zod";
import { parseJson } from "#db/input-limits";
import { presenceStatuses } from "./presence.ts";

const statusSchema = z.enum(presenceStatuses);

/** The frames of a client. */
export const clientFrameSchemas = {
  chat: z.object({
    type: z.literal("chat"),
    clientId: z.string().max(100).optional(),
    /** `sendMessage` checks it, as for every route. */
    payload: z.looseObject({}),
  }),
  userStatus: z.object({ type: z.literal("user_status"), status: statusSchema }),
  typingStart: z.object({ type: z.literal("typing_start") }),
  typingEnd: z.object({ type: z.literal("typing_end") }),
  /** `markRead` checks it. */
  read: z.object({ type: z.literal("read"), seq: z.number() }),
  ping: z.object({ type: z.literal("ping") }),
};

const clientFrameSchema = z.discriminatedUnion("type", [
  clientFrameSchemas.chat,
  clientFrameSchemas.userStatus,
  clientFrameSchemas.typingStart,
  clientFrameSchemas.typingEnd,
  clientFrameSchemas.read,
  clientFrameSchemas.ping,
]);

/** The frames a client may send. */
export type ClientFrame = z.infer<typeof clientFrameSchema>;

/** Parses a frame. For an invalid one returns only its `clientId`, so that the refusal can name it. */
export function readFrame(
  text: string,
): { ok: true; frame: ClientFrame } | { ok: false; clientId: string | undefined } {
  const raw = parseFrameJson(text);
  const frame = clientFrameSchema.safeParse(raw);
  if (frame.success) return { ok: true, frame: frame.data };
  const { clientId } = (typeof raw === "object" && raw !== null ? raw : {}) as { clientId?: unknown };
  return { ok: false, clientId: typeof clientId === "string" ? clientId.slice(0, 100) : undefined };
}

function parseFrameJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
