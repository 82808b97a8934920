import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Below this a packet is one packet either way. */
const minimumTextLength = 1024;
const textTypePattern = /^(text\/(html|plain|xml)|application\/(json|xml))\b/;

/**
 * The same answer in as few bytes as the browser takes: Brotli, else gzip. Files, redirects, answers without a body
 * and short ones stay as they are. An answer to HEAD tells the length that GET's would have.
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
  // A text goes out as it is: making bytes of it here would cost more than all else that is done to it.
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

/** A text in fewer bytes; `quality` is Brotli's own, up to 11. */
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
 * BREACH: who can make a browser ask for a page with a query of their choice, with its cookies, and watch the length of
 * the answer, can guess what stands in it. Another site can do that to somebody with a session only by a navigation, which
 * the browser marks; such an answer goes out unpacked.
 */
function isBreachProne(request: Request): boolean {
  const from = request.headers.get("sec-fetch-site");
  return (
    (from === "cross-site" || from === "same-site") && /session=/.test(request.headers.get("cookie") ?? "")
  );
}

/** A handler's answer as a response: data becomes JSON; what is neither is the listener's own to answer. */
export function toJsonResponse(value: unknown, status: unknown): Response | undefined {
  if (value instanceof Response) return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return Response.json(value, { status: typeof status === "number" ? status : 200 });
}

/** The encoding to use for a request; undefined when it takes none of ours. */
export function chooseEncoding(request: Request): "br" | "gzip" | undefined {
  const taken = new Set<string>();
  for (const part of (request.headers.get("accept-encoding") ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : undefined;
}
