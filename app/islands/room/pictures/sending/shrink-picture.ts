import {
  fitWithin,
  lightPictureBytes,
  maxPdfBytes,
  maxPictureBytes,
  maxPictureSide,
  pdfType,
} from "../picture-limits.ts";

/** A picture ready to be sent, or why it cannot be. */
export type ShrunkPicture =
  | { ok: true; blob: Blob; width: number; height: number }
  | { ok: false; why: "notPicture" | "tooLarge" | "pdfTooLarge" };

/** Pictures with more pixels than any phone camera makes are not decoded here; the server decides on them. */
const maxDrawnPixels = 120_000_000;
const encodingQuality = 0.82;

/**
 * Shrinks a picture for a slow link: at most 1600 pixels on its longer side, as WebP or JPEG, upright, without the camera's metadata. A
 * light picture stays as it is, and so does a PDF; one that cannot be drawn here is sent whole, up to 10 MB.
 */
export async function shrinkPicture(file: Blob): Promise<ShrunkPicture> {
  if (await isPdf(file)) return preparePdf(file);
  const address = URL.createObjectURL(file);
  try {
    const image = await loadImage(address);
    const { naturalWidth: width, naturalHeight: height } = image;
    const goal = fitWithin(width, height, { width: maxPictureSide, height: maxPictureSide });
    const fits = goal.width === width && goal.height === height;
    const drawn =
      (fits && file.size <= lightPictureBytes) || width * height > maxDrawnPixels
        ? undefined
        : await redrawImage(image, goal);
    if (drawn !== undefined && drawn.size < file.size) return { ok: true, blob: drawn, ...goal };
    return file.size <= maxPictureBytes
      ? { ok: true, blob: file, width, height }
      : { ok: false, why: "tooLarge" };
  } catch {
    // This browser cannot show the file; the server may still accept it if its first bytes are those of a picture.
    if (!isPicture(new Uint8Array(await file.slice(0, 12).arrayBuffer())))
      return { ok: false, why: "notPicture" };
    return file.size <= maxPictureBytes
      ? { ok: true, blob: file, width: 0, height: 0 }
      : { ok: false, why: "tooLarge" };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A PDF is sent as it is; the server looks through it. */
function preparePdf(file: Blob): ShrunkPicture {
  return file.size <= maxPdfBytes
    ? { ok: true, blob: file.slice(0, file.size, pdfType), width: 0, height: 0 }
    : { ok: false, why: "pdfTooLarge" };
}

async function isPdf(file: Blob): Promise<boolean> {
  return (await file.slice(0, 5).text()) === "%PDF-";
}

/** Loads the file as an `<img>`, which applies the photo's orientation and knows its size before decoding. */
function loadImage(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => (image.naturalWidth > 0 ? resolve(image) : reject(new Error("no size")));
    image.onerror = () => reject(new Error("no picture"));
    image.src = address;
  });
}

/** Undefined if this browser cannot draw or encode it. */
async function redrawImage(
  image: HTMLImageElement,
  size: { width: number; height: number },
): Promise<Blob | undefined> {
  const canvas = Object.assign(document.createElement("canvas"), size);
  const pen = canvas.getContext("2d");
  if (pen === null) return undefined;
  // Transparent areas would be black in a JPEG.
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, size.width, size.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, size.width, size.height);
  const webp = await encodeCanvas(canvas, "image/webp");
  // Browsers that cannot encode WebP return a PNG.
  return webp?.type === "image/webp" ? webp : encodeCanvas(canvas, "image/jpeg");
}

async function encodeCanvas(canvas: HTMLCanvasElement, type: string): Promise<Blob | undefined> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, encodingQuality));
  return blob ?? undefined;
}

/** Checks the first bytes for JPEG, PNG, GIF, WebP and AVIF: the formats that the server accepts. */
export function isPicture(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return /^(\xff\xd8\xff|\x89PNG\r\n|GIF8[79]a|RIFF....WEBP|....ftypavi[fs])/s.test(head);
}
