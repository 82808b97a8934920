import { isBrowser } from "../../server/listener/request-origin.ts";

/**
 * True if no page led here: the address was typed, or opened from outside a page, or requested by a program other than a browser, which
 * sends nobody's cookies by accident. Midman's own pages count like any other, because members write on them. False also for a browser that
 * does not say (an old one, or any over plain http), since it may have come from anywhere.
 */
export function isTypedAddress({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "none";
  return headers.get("referer") === null && !isBrowser(headers);
}
