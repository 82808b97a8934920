import { config, publicUrl } from "#config";
import type { VerbRefusal } from "../pages/refusal-responses.ts";

/**
 * Handles requests that the TLS-terminating proxy received without TLS, if the public address is https. A browser's page request is
 * redirected to the https address; a program is refused with HTTPS_REQUIRED, because a redirect would hide that it has sent its data in the
 * clear. Undefined for all others.
 */
export function refuseUnencrypted(request: Request): Response | VerbRefusal | undefined {
  if (!config().TRUST_PROXY || !publicUrl().startsWith("https://")) return undefined;
  if (request.headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim() !== "http") return undefined;
  const { pathname, search } = new URL(request.url);
  const reads = request.method === "GET" || request.method === "HEAD";
  const page = reads && !/^\/(api|ws|sandbox)(\/|$)/.test(pathname);
  if (!page) return { ok: false, code: "HTTPS_REQUIRED" };
  return new Response(null, { status: 308, headers: { Location: `${publicUrl()}${pathname}${search}` } });
}
