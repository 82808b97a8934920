import { isBrowser } from "./origin.ts";

/**
 * True when a page of another site, a mail or a message led here, and false when a page of ours did or the address was typed:
 * whatever happens by being opened must not happen then. A browser that says neither (an old one, or any over plain http) may have
 * come from anywhere; what is no browser carries nobody's cookies unknowingly.
 */
export function arrivesFromElsewhere({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const referrer = headers.get("referer");
  if (referrer === null) return isBrowser(headers);
  return !URL.canParse(referrer) || new URL(referrer).host !== headers.get("host");
}
