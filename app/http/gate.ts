import { closed } from "./maintenance.ts";
import { crossSite } from "./origin.ts";

/** Bodies of forms and API calls. */
const largestBody = 1024 * 1024;

/**
 * What the server reads of a body at most before it hangs up. It is more than a body may hold, so that somebody whose
 * form is too large is told so on a page.
 */
export const largestRead = 4 * largestBody;

/** Why a request is turned away before anything looks at it; undefined when it may go on. */
export function turnedAway(request: Request): "MAINTENANCE" | "PAYLOAD_TOO_LARGE" | "BAD_ORIGIN" | undefined {
  const { pathname } = new URL(request.url);
  if (closed() && pathname !== "/healthz" && pathname !== "/readyz") return "MAINTENANCE";
  if (Number(request.headers.get("content-length") ?? 0) > largestBody) return "PAYLOAD_TOO_LARGE";
  if (crossSite(request) && !isProviderCall(pathname)) return "BAD_ORIGIN";
  return undefined;
}

/** The sandbox provider speaks to programs with a bearer token, never to a browser's cookie: no forgery to fear. */
function isProviderCall(pathname: string): boolean {
  return pathname.startsWith("/sandbox/qpay/v2/");
}
