import { type Language, translateText } from "#locales";
import { nameInNotice } from "../messages/message-content.ts";
import type { NoticeNames, NoticePerson } from "./notice-names.ts";
import type { MessageRow, MessageType } from "./schema.ts";

type NoticeParams = Record<string, string | number>;

/** A message as its reader gets it: product-spec §3, with `seq` and the sender's own `clientId`. */
export type Message = {
  id: number;
  roomId: number;
  seq: number;
  /** Null for what the server says. */
  senderId: number | null;
  clientId: string | null;
  type: MessageType;
  /** What is shown. The JSON of product-spec §3 for `payment` and `payment_qr`, which a chat does not show. */
  content: string;
  imageUrl: string | null;
  /** Only a picture has one. Sizes are those of `full`; `caption` is the sender's own, "" where they gave none. */
  image?: { width: number; height: number; small: string; full: string; caption: string };
  createdAt: string;
  /** Only the server's messages have one: what happened, apart from the words for it. */
  notice?: {
    code: string;
    params: NoticeParams;
    text: string;
    /** Which member it speaks of: their name is no part of the words, which are Midman's. */
    person?: NoticePerson;
  };
};

/** A stored message in its reader's language; `names` are those of the people whom notices speak of. */
export function messageOf(row: MessageRow, language: Language, names: NoticeNames = new Map()): Message {
  const plain = {
    id: row.id,
    roomId: row.roomId,
    seq: row.seq,
    senderId: row.senderId,
    clientId: row.clientId,
    type: row.type,
    content: row.content ?? "",
    imageUrl: row.imageUrl,
    createdAt: row.createdAt.toISOString(),
  };
  if (row.type === "image") return { ...plain, ...pictureContent(row, language) };
  if (row.code === null) return plain;
  const { params, person } = noticeSubjectOf(row.code, row.params ?? {}, names);
  const said = translateText(language, noticeTextKey(row.code, params), params);
  const content = row.type === "system" ? said : paymentContent(row.type, params);
  return { ...plain, content, notice: { code: row.code, params, text: said, ...(person && { person }) } };
}

/** Notices of what an administrator did, who is named: those are words of Midman's own people. */
const administratorNoticeCodes = new Set(["disputeTaken", "disputeGivenBack", "mediatorSays"]);

/** Whom a notice speaks of (`userId`): an administrator is its `name`; a member stands beside it, for their name is their own text. */
function noticeSubjectOf(
  code: string,
  params: NoticeParams,
  names: NoticeNames,
): { params: NoticeParams; person?: NoticePerson } {
  if (typeof params.userId !== "number") return { params };
  const person = names.get(params.userId);
  if (administratorNoticeCodes.has(code)) {
    return { params: { ...params, name: nameInNotice(person?.displayName ?? "") } };
  }
  return person === undefined ? { params } : { params, person };
}

/** Who comes or goes is called by their side; notices of before did not store it. */
function noticeTextKey(code: string, { role }: NoticeParams): string {
  const sided = (code === "joined" || code === "left") && (role === "buyer" || role === "seller");
  return sided ? `notices.${code}As.${role}` : `notices.${code}`;
}

/** A picture without a caption says in its reader's language that there is one. */
function pictureContent({ content, imageUrl, imageWidth, imageHeight }: MessageRow, language: Language) {
  const caption = content ?? "";
  const full = imageUrl ?? "";
  return {
    content: caption || translateText(language, "room.imageShared"),
    image: { width: imageWidth ?? 0, height: imageHeight ?? 0, small: `${full}/small`, full, caption },
  };
}

/** Payment messages carry JSON content (product-spec §3). */
function paymentContent(type: MessageType, params: NoticeParams): string {
  return JSON.stringify({ type: "payment", ...params, isQrCode: type === "payment_qr" });
}
