import { isFormTooComplex, isJsonTooComplex, isMultipartTooComplex } from "#db/input-limits";

/** As long as a megabyte takes on the slowest link that still works (ten kilobytes a second), in milliseconds. */
const patienceMs = 100_000;

type BodyRefusalCode = "BAD_REQUEST" | "BODY_TOO_COMPLEX" | "BODY_TOO_SLOW" | undefined;

/**
 * Why a body goes no further; undefined when a call or page may read it. It is read here to its end, beside who reads it later, which
 * costs a few microseconds for what people send: so it holds for every route there is, whichever way that one reads. Only for
 * requests that announce at most what may be held at once. `most` is how many milliseconds it may take to arrive.
 */
export async function refuseBody(
  request: Request,
  pathname: string,
  most = patienceMs,
): Promise<BodyRefusalCode> {
  if (request.body === null) return undefined;
  const type = request.headers.get("content-type") ?? "";
  const inParts = /multipart\/form-data/i.test(type);
  // Elysia makes lists and objects of the parts' names and values: `a[30000000]` is a list of thirty million. No call takes parts.
  if (inParts && pathname.startsWith("/api/")) return "BAD_REQUEST";
  const bytes = await readBodyWithin(request.clone(), most);
  if (bytes === "slow") return "BODY_TOO_SLOW";
  if (bytes === "lost") return "BAD_REQUEST";
  const tooComplex = inParts ? isMultipartTooComplex(bytes, type) : isPlainTooComplex(bytes, type);
  return tooComplex ? "BODY_TOO_COMPLEX" : undefined;
}

/** A form is read as one wherever its type stands in the header, and by Elysia where only the thirteenth letter is right. */
function isPlainTooComplex(bytes: Uint8Array, type: string): boolean {
  const form = /^.{12}x/i.test(type) || /x-www-form-urlencoded/i.test(type);
  const onlyForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
  return (form && isFormTooComplex(bytes)) || (!onlyForm && isJsonTooComplex(bytes));
}

async function readBodyWithin(copy: Request, most: number): Promise<Uint8Array | "slow" | "lost"> {
  let timer: Timer | undefined;
  const late = new Promise<"slow">((resolve) => {
    timer = setTimeout(resolve, most, "slow" as const);
  });
  const read = copy.bytes().catch(() => "lost" as const);
  const first = await Promise.race([read, late]);
  clearTimeout(timer);
  return first;
}
