import { publicUrl } from "#config";

/**
 * True when a page of another site opened this socket: a browser sends our cookies along, and no CSRF check of unsafe
 * methods sees an upgrade. With neither `Origin` nor `Sec-Fetch-Site` the caller is no browser (design §4).
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
