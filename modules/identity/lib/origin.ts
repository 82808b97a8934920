import { publicUrl } from "#config";

/**
 * True when a page of another site made this request: a browser sends our cookies along (CSRF). `Origin` must equal the
 * request's host or PUBLIC_URL; without it `Sec-Fetch-Site` decides; with neither the caller is no browser and passes
 * (design §4 "Origin checks").
 */
export function foreignOrigin(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null) {
    const site = headers.get("sec-fetch-site");
    return site !== null && site !== "same-origin" && site !== "none";
  }
  if (origin === new URL(publicUrl()).origin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}
