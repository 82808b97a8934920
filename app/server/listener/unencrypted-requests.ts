import { config, publicUrl } from "#config";
import type { VerbRefusal } from "../pages/refusal-responses.ts";

/**
 * What somebody gets who comes without TLS to a Midman whose address is https, as the proxy that ends TLS tells: a
 * person is led to the page's true address; a program is refused, for a redirect would hide that it has sent its
 * words in the clear. Undefined for everybody else.
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
