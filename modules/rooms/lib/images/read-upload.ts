import { isMultipartTooComplex, parseJson } from "#db/input-limits";
import { imageLimits } from "../../constants.ts";
import type { ReadImage, SentImage } from "./send-image.ts";

const badRequest = { ok: false, code: "BAD_REQUEST" } as const;
const imageTooLarge = { ok: false, code: "IMAGE_TOO_LARGE" } as const;
const imageUnreadable = { ok: false, code: "IMAGE_UNREADABLE" } as const;

/** The time (ms) that ten megabytes take on the slowest link that still works. */
const uploadTimeoutMs = 5 * 60_000;
/** A slow start is allowed for so long (ms); from then on an upload needs its pace. Two kilobytes a second arrive by GPRS too. */
const slowStartMs = 20_000;
const slowestBytesPerSecond = 2 * 1024;

/** The number of bytes a request announces; the maximum if it announces none. */
export function announcedBytes(request: Request): number {
  const length = request.headers.get("content-length");
  return length === null ? imageLimits.upload : Number(length);
}

/**
 * Reads the picture of a call: JSON `{ imageData, caption?, clientId?, replyTo? }` with `imageData` as a data URL, or a form with the file
 * `image`. Counts bytes while it reads. Refuses BAD_REQUEST, IMAGE_TOO_LARGE and IMAGE_UNREADABLE.
 */
export async function readImage(request: Request): ReturnType<ReadImage> {
  if (isUpload(request)) {
    const form = await readUpload(request);
    return form instanceof FormData ? { ok: true, ...(await imageOfForm(form)) } : form;
  }
  const bytes = await readAtMost(request, imageLimits.upload);
  return bytes === undefined ? imageTooLarge : fromJson(bytes);
}

/** True for a form that may contain files. */
export function isUpload(request: Request): boolean {
  return /^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? "");
}

/** Reads a form that may contain a picture, and counts bytes while it reads. Refuses BAD_REQUEST and IMAGE_TOO_LARGE. */
export async function readUpload(
  request: Request,
): Promise<FormData | typeof badRequest | typeof imageTooLarge> {
  const bytes = await readAtMost(request, imageLimits.upload);
  if (bytes === undefined) return imageTooLarge;
  const type = request.headers.get("content-type") ?? "";
  if (isMultipartTooComplex(bytes, type)) return badRequest;
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    return badRequest;
  }
}

/** The fields of a posted form; an empty file field counts as no picture. */
export async function imageOfForm(form: FormData): Promise<SentImage> {
  const [image, caption, clientId, replyTo] = ["image", "caption", "clientId", "replyTo"].map((name) =>
    form.get(name),
  );
  return {
    ...(image instanceof Blob && image.size > 0 && { picture: await image.bytes() }),
    ...(caption !== null && { caption }),
    ...(clientId !== null && clientId !== "" && { clientId }),
    ...(replyTo !== null && replyTo !== "" && { replyTo }),
  };
}

/**
 * True for an upload that holds its memory and does not arrive: after a slow start it is slower than any phone, or than half of what it
 * needs to arrive in time.
 */
function isTooSlow(announced: number, received: number, elapsedMs: number): boolean {
  if (elapsedMs > uploadTimeoutMs) return true;
  const pace = Math.max(slowestBytesPerSecond, announced / (uploadTimeoutMs / 1_000) / 2);
  return elapsedMs > slowStartMs && received < (pace * elapsedMs) / 1_000;
}

/** The body, or undefined if it is longer than `most`, whatever its headers say, or too slow. */
async function readAtMost(request: Request, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  const announced = announcedBytes(request);
  const from = Date.now();
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > most || isTooSlow(announced, length, Date.now() - from)) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const cutMarker = "data:cut";
const maxRestBytes = 64 * 1024;
const maxHeadBytes = 300;

/**
 * Cuts out the data URL before parsing the rest: ten megabytes of anything but one string would become millions of values, and parsing them
 * would block everyone else.
 */
function fromJson(body: Buffer): Awaited<ReturnType<ReadImage>> {
  const begin = body.indexOf('"data:') + 1;
  const end = begin === 0 ? 0 : body.indexOf('"', begin);
  if (end === -1 || body.length - (end - begin) > maxRestBytes) return badRequest;
  const rest =
    begin === 0
      ? body.toString()
      : `${body.toString("utf8", 0, begin)}${cutMarker}${body.toString("utf8", end)}`;
  const said = parseUploadJson(rest);
  if (said === undefined) return badRequest;
  const { imageData, ...others } = said;
  if (imageData === undefined || imageData === null || imageData === "") return { ok: true, ...others };
  if (imageData !== cutMarker) return imageUnreadable;
  return fromDataUrl(body.subarray(begin, end), others);
}

function parseUploadJson(text: string): (SentImage & { imageData?: unknown }) | undefined {
  try {
    const { imageData, caption, clientId, replyTo } = parseJson(text) as Record<string, unknown>;
    return {
      imageData,
      ...(caption !== null && { caption }),
      ...(clientId !== null && { clientId }),
      ...(replyTo !== null && { replyTo }),
    };
  } catch {
    return undefined;
  }
}

/**
 * Parses `data:image/…;base64,…` or `data:application/pdf;base64,…` as it stands in JSON; some programs escape each slash with a backslash. Ten megabytes of it are not
 * matched against a pattern: one that looks for the padding at the end could block everyone for days on hostile text.
 */
function fromDataUrl(url: Buffer, others: SentImage): Awaited<ReturnType<ReadImage>> {
  const comma = url.indexOf(",");
  if (comma < 0 || comma > maxHeadBytes) return imageUnreadable;
  const head = url.toString("latin1", 0, comma).replaceAll("\\/", "/");
  if (!/^data:(?:image\/[\w.+-]{1,40}|application\/pdf)(;[\w.+-]{1,40}=[\w.+-]{1,40})*;base64$/i.test(head))
    return imageUnreadable;
  const base64 = url.toString("latin1", comma + 1).replaceAll("\\/", "/");
  if (base64.length > Math.ceil(imageLimits.bytes / 3) * 4) return imageTooLarge;
  const picture = Buffer.from(base64, "base64");
  // The decoder skips characters that are not base64 and stops at the first padding; the result is then shorter than the text implies.
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  const whole = Math.floor(((base64.length - padding) * 3) / 4);
  return picture.length === whole ? { ok: true, picture, ...others } : imageUnreadable;
}
