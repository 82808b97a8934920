import { z } from "zod";
import { parseJson } from "#db/input-limits";
import { statuses } from "./presence.ts";

const status = z.enum(statuses);

/** The frames of a client. */
export const frames = {
  chat: z.object({
    type: z.literal("chat"),
    clientId: z.string().max(100).optional(),
    /** Checked by `sendMessage`, as for every door. */
    payload: z.looseObject({}),
  }),
  userStatus: z.object({ type: z.literal("user_status"), status }),
  typingStart: z.object({ type: z.literal("typing_start") }),
  typingEnd: z.object({ type: z.literal("typing_end") }),
  /** Checked by `markRead`. */
  read: z.object({ type: z.literal("read"), seq: z.number() }),
  ping: z.object({ type: z.literal("ping") }),
};

const clientFrame = z.discriminatedUnion("type", [
  frames.chat,
  frames.userStatus,
  frames.typingStart,
  frames.typingEnd,
  frames.read,
  frames.ping,
]);

/** What a client may say (product-spec §7). */
export type ClientFrame = z.infer<typeof clientFrame>;

/** Reads a frame; when it is none of ours, only its `clientId`, so that the refusal can name what it refuses. */
export function readFrame(
  text: string,
): { ok: true; frame: ClientFrame } | { ok: false; clientId: string | undefined } {
  const raw = parsed(text);
  const frame = clientFrame.safeParse(raw);
  if (frame.success) return { ok: true, frame: frame.data };
  const { clientId } = (typeof raw === "object" && raw !== null ? raw : {}) as { clientId?: unknown };
  return { ok: false, clientId: typeof clientId === "string" ? clientId.slice(0, 100) : undefined };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
