import { isBrowser } from "../../server/listener/request-origin.ts";

/**
 * True when no page led here: the address was typed, or opened from outside a page, or a program that is no browser asks for it and
 * carries nobody's cookies unknowingly. Our own pages count as any other: members write on them. False also for a browser that does not
 * say (an old one, or any over plain http): it may have come from anywhere.
 */
export function isTypedAddress({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "none";
  return headers.get("referer") === null && !isBrowser(headers);
}
