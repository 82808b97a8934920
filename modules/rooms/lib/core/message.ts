import { type Language, translateText } from "#locales";
import { downloadName, pdfBytesOf, pdfMime } from "../images/file-names.ts";
import { nameInNotice } from "../messages/message-content.ts";
import type { NoticeNames, NoticePerson } from "./notice-names.ts";
import type { Message, Quote } from "./responses.ts";
import type { MessageRow, MessageType } from "./schema.ts";

type NoticeParams = Record<string, string | number>;

/** The quoted messages that a reader may see, by `seq`. */
export type Quotes = ReadonlyMap<number, Quote>;

/**
 * A stored message in its reader's language; `names` holds the people whom notices mention, `quotes` the messages replied to that the
 * reader may see.
 */
export function messageOf(
  row: MessageRow,
  language: Language,
  names: NoticeNames = new Map(),
  quotes: Quotes = new Map(),
): Message {
  const replyTo = row.replyTo === null ? undefined : quotes.get(row.replyTo);
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
    ...(replyTo && { replyTo }),
  };
  const pdfBytes = row.type === "image" ? pdfBytesOf(row.imageUrl ?? "") : undefined;
  if (pdfBytes !== undefined) return { ...plain, ...pdfContent(row, pdfBytes, language) };
  if (row.type === "image") return { ...plain, ...pictureContent(row, language) };
  if (row.code === null) return plain;
  const { params, person } = noticeSubjectOf(row.code, row.params ?? {}, names);
  const said = noticeWords(row.code, translateText(language, noticeTextKey(row.code, params), params));
  const content = row.type === "system" ? said.text : paymentContent(row.type, params);
  return { ...plain, content, notice: { code: row.code, params, ...said, ...(person && { person }) } };
}

/** Notices of an administrator's action, which contain the administrator's name: Midman chose it. */
const administratorNoticeCodes = new Set(["disputeTaken", "disputeGivenBack", "mediatorSays"]);

/**
 * The person a notice mentions (`userId`). An administrator's name goes into the text; a member is returned separately, since members
 * choose their own name.
 */
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

/**
 * A notice's text in one line. In the catalogue a line break divides what happened from what the notice asks for, which is no longer
 * true once the trade has moved on. A mediator's own words may have line breaks too, and stay as they are.
 */
function noticeWords(code: string, said: string): { text: string; fact?: string } {
  const [fact = said, ...asked] = code === "mediatorSays" ? [said] : said.split("\n");
  return asked.length === 0 ? { text: said } : { text: [fact, ...asked].join(" "), fact };
}

/** Notices of joining and leaving name the person's role; older notices did not store it. */
function noticeTextKey(code: string, { role }: NoticeParams): string {
  const sided = (code === "joined" || code === "left") && (role === "buyer" || role === "seller");
  return sided ? `notices.${code}As.${role}` : `notices.${code}`;
}

/** A picture without a caption gets a text in the reader's language. */
function pictureContent({ content, imageUrl, imageWidth, imageHeight }: MessageRow, language: Language) {
  const caption = content ?? "";
  const full = imageUrl ?? "";
  return {
    content: caption || translateText(language, "room.imageShared"),
    image: { width: imageWidth ?? 0, height: imageHeight ?? 0, small: `${full}/small`, full, caption },
  };
}

/** A PDF has no address of a picture: a program that shows pictures shows its text instead. */
function pdfContent({ content, imageUrl, createdAt, seq }: MessageRow, bytes: number, language: Language) {
  const caption = content ?? "";
  const name = downloadName({ at: createdAt, seq, mime: pdfMime });
  return {
    content: caption || translateText(language, "room.fileShared"),
    imageUrl: null,
    file: { name, bytes, url: imageUrl ?? "", caption },
  };
}

/** Content of payment messages, as JSON. */
function paymentContent(type: MessageType, params: NoticeParams): string {
  return JSON.stringify({ type: "payment", ...params, isQrCode: type === "payment_qr" });
}
