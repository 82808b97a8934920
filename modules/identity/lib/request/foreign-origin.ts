import { publicUrl } from "#config";
import { isHttps } from "./request-facts.ts";

/**
 * True when a page of another site made this request: a browser sends our cookies along (CSRF). `Origin` must equal
 * PUBLIC_URL, or name the request's host, over TLS where we are reached by TLS; without it `Sec-Fetch-Site` decides; with
 * neither the caller is no browser and passes (design §4 "Origin checks").
 */
export function isForeignOrigin(headers: Headers): boolean {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  if (origin === null) return site !== null && site !== "same-origin" && site !== "none";
  // Forms of our pages that send no referrer hide their origin. A sandboxed frame hides it too, but is never same-origin.
  if (origin === "null") return site !== "same-origin";
  if (origin === new URL(publicUrl()).origin) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  const trusted = protocol === "https:" || (protocol === "http:" && !isHttps({ headers }));
  return !trusted || host !== headers.get("host");
}
