import { z } from "zod";
import { hasVisibleText, packMessage, rangeMessage } from "#format";
import { imageLimits, roomLimits } from "./constants.ts";

// Nobody types control characters, and U+0000 cannot be stored; a lone surrogate comes back as another character; bidirectional overrides
// make one text look like another. Messages and descriptions may contain line breaks.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const isPrintableText = (value: string) => !UNPRINTABLE.test(value.replace(/[\n\r\t]/g, ""));
const isPrintableLine = (value: string) => !UNPRINTABLE.test(value);

/** A number in a path, in decimal notation only ("0x1" is not found). */
export const pathId = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger),
});

export const createRoomInput = z.object({
  name: z
    .string("validation.roomNameMissing")
    .trim()
    .min(1, { error: "validation.roomNameMissing", abort: true })
    .min(roomLimits.nameMin, "validation.roomNameShort")
    .max(roomLimits.nameMax, "validation.roomNameLong")
    .refine(isPrintableLine, "validation.invalid")
    .refine(hasVisibleText, "validation.roomNameMissing"),
  description: z
    .string()
    .trim()
    .max(roomLimits.descriptionMax, "validation.roomDescriptionLong")
    .refine(isPrintableText, "validation.invalid")
    .nullish(),
  /** The creator's role. */
  role: z.enum(["buyer", "seller"]).default("seller"),
});

const shortCodeIssue = packMessage("validation.inviteCodeShort", { length: roomLimits.inviteLength });

/** An invite code, or a pasted invite link. */
export const joinInput = z.object({
  code: z
    .string(shortCodeIssue)
    .trim()
    .min(roomLimits.inviteMin, shortCodeIssue)
    .max(300, "validation.invalid"),
});

export const roleInput = z.object({ role: z.enum(["buyer", "seller"]) });

export const sendMessageInput = z.object({
  content: z
    .string("validation.messageBlank")
    .max(roomLimits.messageMax, "validation.messageLong")
    .refine(hasVisibleText, "validation.messageBlank")
    .refine(isPrintableText, "validation.invalid"),
  /** A member sends text; `chat` is a synonym. */
  type: z.enum(["text", "chat"]).default("text"),
  /** The sender's id of this message: a retry with it returns the first message. */
  clientId: z.guid().toLowerCase().optional(),
  /** The `seq` of the message that this one replies to. */
  replyTo: z.coerce
    .number("validation.replyTo")
    .int("validation.replyTo")
    .positive("validation.replyTo")
    .optional(),
});

/** The fields sent with a picture's bytes. */
export const sendImageInput = z.object({
  /** Empty if the picture has no caption, or one in which nothing can be seen. */
  caption: z
    .string("validation.invalid")
    .trim()
    .max(imageLimits.captionMax, "validation.captionLong")
    .refine(isPrintableText, "validation.invalid")
    .transform((caption) => (hasVisibleText(caption) ? caption : ""))
    .default(""),
  clientId: sendMessageInput.shape.clientId,
  replyTo: sendMessageInput.shape.replyTo,
});

/** The `seq` up to which the reader has read. */
export const readInput = z.object({
  seq: z.number("validation.id").int("validation.id").nonnegative("validation.id"),
});

/** The size of a page, in a query: 1 to `max`. */
const pageSize = (max: number) => {
  const issue = rangeMessage(1, max);
  return z.coerce.number(issue).int(issue).min(1, issue).max(max, issue);
};

/** A page of a person's rooms: those less recently active than a cursor. */
export const roomListInput = z.object({
  before: z
    .string()
    .regex(/^\d{1,16}-[1-9]\d{0,15}$/, "validation.invalid")
    .optional(),
  limit: pageSize(100).default(24),
});

/** A page of a person's rooms by whose turn it is. The cursor names a position. */
export const roomTurnListInput = roomListInput.extend({
  before: z
    .string()
    .regex(/^[0-2]-\d{1,16}-\d{1,16}-[1-9]\d{0,15}$/, "validation.invalid")
    .optional(),
});

/** A page of those of a person's rooms that match `q`. */
export const roomSearchInput = roomTurnListInput.extend({
  q: z.string().trim().min(1, "validation.required").max(100, "validation.invalid"),
});

/** The words to find in a room's messages. */
export const messageSearchInput = z.object({
  q: z
    .string("validation.required")
    .trim()
    .min(1, "validation.required")
    .max(100, "validation.invalid")
    .refine(isPrintableLine, "validation.invalid"),
});

/** A page of the history: after a `seq`, before one, or the latest. */
export const historyInput = z.object({
  after: z.coerce.number("validation.id").int("validation.id").nonnegative("validation.id").optional(),
  before: z.coerce.number("validation.id").int("validation.id").positive("validation.id").optional(),
  limit: pageSize(200).default(50),
});
