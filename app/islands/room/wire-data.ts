import type {
  HandOverState,
  Message,
  PendingMessage,
  Presence,
  Quote,
  RoomProps,
  RoomStrings,
  Seat,
} from "./types.ts";

/**
 * What the room takes from outside the page (frames, replies, stored entries, the page's data) is checked here before it
 * counts as a type. The checks are these few lines because a schema library would not fit the room's script (75 KB): zod/mini
 * adds 6 KB to it and zod 23 KB. A field that a type has and its check lacks is an error of the types.
 */
export type Check<T> = (value: unknown) => value is T;

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isText: Check<string> = (value) => typeof value === "string";
const isBoolean: Check<boolean> = (value) => typeof value === "boolean";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isEither =
  <A, B>(one: Check<A>, other: Check<B>): Check<A | B> =>
  (value): value is A | B =>
    one(value) || other(value);

const isOptional = <T>(check: Check<T>) =>
  isEither(check, (value): value is undefined => value === undefined);
const isNullable = <T>(check: Check<T>) => isEither(check, (value): value is null => value === null);

const isOneOf =
  <T extends string>(...names: readonly T[]): Check<T> =>
  (value): value is T =>
    names.includes(value as T);

const isListOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check);

const hasFields =
  <T>(checks: { [K in keyof Required<T>]: Check<T[K]> }): Check<T> =>
  (value): value is T =>
    isObject(value) && Object.entries<Check<unknown>>(checks).every(([name, check]) => check(value[name]));

const isParams = (value: unknown): value is Record<string, string | number> =>
  isObject(value) && Object.values(value).every(isEither(isText, isNumber));

const isQuote: Check<Quote> = hasFields<Quote>({
  seq: isNumber,
  senderId: isNumber,
  type: isOneOf("text", "image"),
  content: isText,
});

export const isMessage: Check<Message> = hasFields<Message>({
  id: isNumber,
  seq: isNumber,
  senderId: isNullable(isNumber),
  clientId: isNullable(isText),
  type: isOneOf("text", "image", "system", "payment", "payment_qr"),
  content: isText,
  imageUrl: isNullable(isText),
  image: isOptional(
    hasFields<NonNullable<Message["image"]>>({
      width: isNumber,
      height: isNumber,
      small: isText,
      full: isText,
      caption: isText,
    }),
  ),
  file: isOptional(
    hasFields<NonNullable<Message["file"]>>({ name: isText, bytes: isNumber, url: isText, caption: isText }),
  ),
  createdAt: isText,
  replyTo: isOptional(isQuote),
  notice: isOptional(
    hasFields<NonNullable<Message["notice"]>>({
      code: isText,
      params: isParams,
      text: isText,
      fact: isOptional(isText),
      person: isOptional(hasFields({ id: isNumber, displayName: isText, avatarInitials: isText })),
    }),
  ),
});

export const isSeat: Check<Seat> = hasFields<Seat>({
  id: isNumber,
  displayName: isText,
  avatarInitials: isText,
  role: isOneOf("buyer", "seller"),
  readSeq: isNumber,
});

export const isHandOverState: Check<HandOverState> = isOneOf(
  "applies",
  "over",
  "ended",
  "cancelled",
  "disputed",
  "checking",
);

/** A frame of the room's socket. What `payload` holds depends on `type`. */
export interface Frame {
  type: string;
  seq?: number;
  payload?: unknown;
  clientId?: string | null;
  message?: string;
  code?: string;
  retryAfterSeconds?: number;
  userId?: number;
  status?: Presence;
}

export const isFrame: Check<Frame> = hasFields<Frame>({
  type: isText,
  seq: isOptional(isNumber),
  payload: (_): _ is unknown => true,
  clientId: isOptional(isNullable(isText)),
  message: isOptional(isText),
  code: isOptional(isText),
  retryAfterSeconds: isOptional(isNumber),
  userId: isOptional(isNumber),
  status: isOptional(isOneOf<Presence>("online", "away", "busy", "offline")),
});

/** Whether a value has the shape of a refusal: a text for the reader and the seconds until a retry, both optional. */
export const isRefusal = hasFields<{ message?: string; retryAfterSeconds?: number }>({
  message: isOptional(isText),
  retryAfterSeconds: isOptional(isNumber),
});

const waitingChecks = {
  clientId: isText,
  at: isNumber,
  failed: isOptional(isText),
  replyTo: isOptional(isQuote),
};

/** Whether an entry of the browser's own database is one that this version can send. */
export const isPendingMessage: Check<PendingMessage> = isEither(
  hasFields<Extract<PendingMessage, { kind: "text" }>>({
    ...waitingChecks,
    kind: isOneOf("text"),
    content: isText,
  }),
  hasFields<Extract<PendingMessage, { kind: "image" }>>({
    ...waitingChecks,
    kind: isOneOf("image"),
    caption: isText,
    blob: (value): value is Blob => value instanceof Blob,
    width: isNumber,
    height: isNumber,
  }),
);

/** The data that the page was made of. Its words come from the same build and are not looked through. */
export const isRoomProps: Check<RoomProps> = hasFields<RoomProps>({
  roomId: isNumber,
  code: isNullable(isText),
  handOver: isHandOverState,
  askingCodes: isText,
  me: isNumber,
  now: isText,
  readSeq: isNumber,
  seats: isListOf(isSeat),
  messages: isListOf(isMessage),
  hasOlder: isBoolean,
  olderHref: isText,
  reply: isNullable(isQuote),
  draft: isText,
  draftError: isNullable(isText),
  clientId: isText,
  upload: hasFields<RoomProps["upload"]>({ clientId: isText, caption: isText, error: isNullable(isText) }),
  strings: isObject as Check<unknown> as Check<RoomStrings>,
});

/** A value in JSON, if it is of the form that is asked for; else undefined, with a line in the browser's console. */
export function parseJson<T>(json: string, check: Check<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (check(value)) return value;
  } catch {} // not even JSON
  reportDropped(json);
  return undefined;
}

/** The elements of a list that are of the form; the others are left out, with a line each in the browser's console. */
export function keepValid<T>(list: unknown, check: Check<T>): T[] {
  if (!Array.isArray(list)) throw new TypeError("not a list");
  return list.filter((element: unknown): element is T => check(element) || reportDropped(element));
}

function reportDropped(value: unknown): false {
  console.warn("Midman: dropped what this page cannot read", value);
  return false;
}
