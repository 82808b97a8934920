import { publicUrl } from "#config";
import { isHttps } from "./request-facts.ts";

/**
 * True if a page of another site made this request, to which a browser adds Midman's cookies (CSRF). `Origin` must equal PUBLIC_URL or name
 * the request's host, over TLS if Midman is reached over TLS. Without `Origin`, `Sec-Fetch-Site` decides; without both, the caller is not a
 * browser and passes.
 */
export function isForeignOrigin(headers: Headers): boolean {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  if (origin === null) return site !== null && site !== "same-origin" && site !== "none";
  // Forms on Midman's pages that send no referrer hide their origin. A sandboxed frame hides it too, but is never same-origin.
  if (origin === "null") return site !== "same-origin";
  if (origin === new URL(publicUrl()).origin) return false;
  if (!URL.canParse(origin)) return true;
  const { protocol, host } = new URL(origin);
  const trusted = protocol === "https:" || (protocol === "http:" && !isHttps({ headers }));
  return !trusted || host !== headers.get("host");
}
