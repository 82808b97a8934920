import { isFormTooComplex, isJsonTooComplex, isMultipartTooComplex } from "#db/input-limits";

/** The time that a megabyte takes on the slowest link that still works (ten kilobytes a second), in ms. */
const patienceMs = 100_000;

type BodyRefusalCode = "BAD_REQUEST" | "BODY_TOO_COMPLEX" | "BODY_TOO_SLOW" | undefined;

/**
 * Returns why a body is refused; undefined if a route may read it. The body is read to its end here, on a clone, so that the limits hold
 * for every route, however it reads the body; for ordinary bodies that costs a few microseconds. Call it only for requests that announce a
 * length within the limit. `most` is how many ms the body may take to arrive.
 */
export async function refuseBody(
  request: Request,
  pathname: string,
  most = patienceMs,
): Promise<BodyRefusalCode> {
  if (request.body === null) return undefined;
  const type = request.headers.get("content-type") ?? "";
  const inParts = /multipart\/form-data/i.test(type);
  // Elysia turns the names and values of multipart parts into lists and objects: `a[30000000]` is a list of thirty million elements. No API
  // call takes multipart.
  if (inParts && pathname.startsWith("/api/")) return "BAD_REQUEST";
  const bytes = await readBodyWithin(request.clone(), most);
  if (bytes === "slow") return "BODY_TOO_SLOW";
  if (bytes === "lost") return "BAD_REQUEST";
  const tooComplex = inParts ? isMultipartTooComplex(bytes, type) : isPlainTooComplex(bytes, type);
  return tooComplex ? "BODY_TOO_COMPLEX" : undefined;
}

/**
 * Counts as a form whatever is read as one: FormData parsing accepts the type anywhere in the header, and Elysia looks at its thirteenth
 * letter only.
 */
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
