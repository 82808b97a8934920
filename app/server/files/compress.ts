import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A shorter text fits into one packet with or without compression. */
const minimumTextLength = 1024;
const textTypePattern = /^(text\/(html|plain|xml)|application\/(json|xml))\b/;

/**
 * Compresses a text response with Brotli, otherwise gzip, if the browser accepts it. Files, redirects, responses without a body and short
 * ones are left unchanged. A response to HEAD has the Content-Length of the GET.
 */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  if (response.body === null || !textTypePattern.test(response.headers.get("content-type") ?? ""))
    return response;
  if (response.headers.has("content-encoding")) return response;
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  const text = await response.text();
  const encoding =
    text.length < minimumTextLength || isBreachProne(request) ? undefined : chooseEncoding(request);
  // The string is sent as it is: encoding it to bytes here would cost more than all the other steps together.
  if (encoding === undefined && request.method !== "HEAD")
    return new Response(text, { status: response.status, headers });
  if (encoding !== undefined) headers.set("Content-Encoding", encoding);
  const body = encoding === undefined ? Buffer.from(text) : await compressBytes(Buffer.from(text), encoding);
  headers.set("Content-Length", String(body.length));
  return new Response(request.method === "HEAD" ? null : body, { status: response.status, headers });
}

async function compressBytes(plain: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array<ArrayBuffer>> {
  return encoding === "gzip" ? new Uint8Array(await gzipAsync(plain)) : compressWithBrotli(plain, 5);
}

/** Compresses a text; `quality` is Brotli's, from 0 to 11. */
export async function compressWithBrotli(
  plain: Uint8Array,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  return new Uint8Array(await brotliAsync(plain, { params }));
}

/**
 * BREACH: an attacker who makes a browser request a page with a chosen query, sends its cookies along and watches the length of the
 * response can guess the page's content. Another site can do that to a signed-in person only by a navigation, which the browser marks; the
 * response to it is sent uncompressed.
 */
function isBreachProne(request: Request): boolean {
  const from = request.headers.get("sec-fetch-site");
  return (
    (from === "cross-site" || from === "same-site") && /session=/.test(request.headers.get("cookie") ?? "")
  );
}

/** Converts a handler's return value to a response: data becomes JSON; undefined for any other value, which the listener handles. */
export function toJsonResponse(value: unknown, status: unknown): Response | undefined {
  if (value instanceof Response) return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return Response.json(value, { status: typeof status === "number" ? status : 200 });
}

/** The encoding to use for a request; undefined if it accepts none of the supported ones. */
export function chooseEncoding(request: Request): "br" | "gzip" | undefined {
  const taken = new Set<string>();
  for (const part of (request.headers.get("accept-encoding") ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : undefined;
}
