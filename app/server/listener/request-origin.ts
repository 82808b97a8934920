import { foreignOrigin } from "#modules/identity";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/** True when an unsafe request may have been made by another site (CSRF). */
export function crossSite(request: Request): boolean {
  return !safe.has(request.method) && foreignOrigin(request.headers);
}

/** True for what calls itself a browser, as all of them have since 1995; such a request may carry a person's cookies. */
export function isBrowser(headers: Headers): boolean {
  return (headers.get("user-agent") ?? "").startsWith("Mozilla/");
}
