import { foreignOrigin } from "#modules/identity";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/** True when an unsafe request may have been made by another site (CSRF). */
export function crossSite(request: Request): boolean {
  return !safe.has(request.method) && foreignOrigin(request.headers);
}
