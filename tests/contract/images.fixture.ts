import { expectStatus, type Person } from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";

export type Image = { width: number; height: number; small: string; full: string; caption: string };

/** A picture as a program sends it in JSON. */
export const dataUrl = (bytes: Uint8Array, type = "image/jpeg") =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** The picture of a message that was accepted. */
export const imageOf = (reply: Reply) => expectStatus(reply, 201).body.image as Image;

/** Posts a form with a file as a browser does. */
export async function uploadImage(
  url: string,
  who: Person,
  bytes: Uint8Array | null,
  fields: Record<string, string>,
): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (bytes !== null)
    form.append("image", new File([new Uint8Array(bytes)], "photo.png", { type: "image/png" }));
  const headers = { Cookie: who.cookies(), "Accept-Language": "en", Accept: "text/html" };
  const reply = await fetch(url, { method: "POST", body: form, headers, redirect: "manual" });
  const text = await reply.text();
  const body = new URL(url).pathname.startsWith("/api/") ? JSON.parse(text) : {};
  return { status: reply.status, headers: reply.headers, text, body, list: [] };
}
