import { isForeignOrigin } from "#modules/identity";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** True if an unsafe request may have been made by another site (CSRF). */
export function isCrossSite(request: Request): boolean {
  return !safeMethods.has(request.method) && isForeignOrigin(request.headers);
}

/** True if the User-Agent is a browser's, as all have been since 1995; such a request may carry a person's cookies. */
export function isBrowser(headers: Headers): boolean {
  return (headers.get("user-agent") ?? "").startsWith("Mozilla/");
}
