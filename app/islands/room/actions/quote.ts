import type { Message, Quote } from "../types.ts";

/** A message as a reply to it quotes it; undefined for Midman's, which nobody can reply to. */
export function quoteOf({ seq, senderId, type, content, image }: Message): Quote | undefined {
  if (senderId === null || (type !== "text" && type !== "image")) return undefined;
  return { seq, senderId, type, content: image === undefined ? content : image.caption };
}
