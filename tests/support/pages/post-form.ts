import type { Client, Reply } from "../server/http-client.ts";

/** Posts a form as a browser without scripts does. */
export function postForm(who: Client, path: string, fields: Record<string, string> = {}): Promise<Reply> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return who.send("POST", path, new URLSearchParams(fields).toString(), headers);
}

/** What a page says is wrong with a field (`<form>-<field>`) or with a form as a whole (`<form>`); null when nothing. */
export function errorOf(page: Reply, id: string): string | null {
  return textInside(page.text, new RegExp(`<p role="alert"[^>]*id="${id}-error"[^>]*>(.*?)</p>`));
}

/** What stands in a field of a page. */
export function readFieldValue(page: Reply, id: string): string | null {
  const [tag] = new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(page.text) ?? [];
  const value = /\bvalue="([^"]*)"/.exec(tag ?? "")?.[1];
  return value === undefined ? null : decodeHtml(value);
}

/** The toast on the page that an answer leads to: where it leads, and what is said there. */
export async function readToastAfter(who: Client, answer: Reply): Promise<[string | null, string | null]> {
  if (answer.status !== 303) throw new Error(`expected 303, got ${answer.status}`);
  const to = answer.headers.get("location");
  const page = await who.get((to ?? "").replace(/#.*/, ""));
  return [to, textInside(page.text, /<div data-toasts[^>]*>.*?<p[^>]*>(.*?)<\/p>/)];
}

function textInside(html: string, part: RegExp): string | null {
  const found = part.exec(html)?.[1];
  return found === undefined ? null : decodeHtml(found.replaceAll(/<[^>]*>/g, ""));
}

function decodeHtml(html: string): string {
  return html
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
