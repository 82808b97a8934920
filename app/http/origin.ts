import { publicUrl } from "#config";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * True when an unsafe request may have been made by another site (CSRF).
 * `Origin` must equal the request's host or PUBLIC_URL; without it `Sec-Fetch-Site` decides; with neither the caller is
 * no browser and passes (design §4 "Origin checks").
 */
export function crossSite(request: Request): boolean {
  if (safe.has(request.method)) return false;
  return foreignOrigin(request);
}

/** The same rule whatever the method: a WebSocket upgrade is a GET that needs it too. */
export function foreignOrigin(request: Request): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return !ownOrigin(origin, request.headers.get("host"));
  const site = request.headers.get("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

function ownOrigin(origin: string, host: string | null): boolean {
  if (origin === new URL(publicUrl()).origin) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}
