import { type Language, text } from "#locales";
import type { MessageRow, MessageType } from "./schema.ts";

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
  createdAt: string;
  /** Only the server's messages have one: what happened, apart from the words for it. */
  notice?: { code: string; params: Record<string, string | number>; text: string };
};

/** A stored message in its reader's language. */
export function messageOf(row: MessageRow, language: Language): Message {
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
  if (row.code === null) return plain;
  const params = row.params ?? {};
  const said = text(language, `notices.${row.code}`, params);
  const content = row.type === "system" ? said : paymentContent(row.type, params);
  return { ...plain, content, notice: { code: row.code, params, text: said } };
}

/** Payment messages carry JSON content (product-spec §3). */
function paymentContent(type: MessageType, params: Record<string, string | number>): string {
  return JSON.stringify({ type: "payment", ...params, isQrCode: type === "payment_qr" });
}
