import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadPictureDecoders } from "#db/files/picture-decoders";
import { log } from "#db/log";
import { isBankScheme } from "../qpay/bank-apps.ts";

/** A drawn logo: a WebP. */
export type BankLogo = Uint8Array<ArrayBuffer>;

/** The side of a logo in pixels: enough for a button's mark on the sharpest phones. */
const logoSide = 96;
const maxFileBytes = 1024 * 1024;
const maxPixels = 16_000_000;
const formats: ReadonlySet<string | undefined> = new Set(["png", "jpeg", "webp"]);

/**
 * Redraws each picture of a folder, named by a bank's scheme (`khanbank.png`), as a square WebP on white without metadata. Returns them by
 * scheme. Names in the log each file that is left out, and why. Throws only if the folder cannot be listed.
 */
export async function drawBankLogos(folder: string): Promise<Map<string, BankLogo>> {
  const logos = new Map<string, BankLogo>();
  // Hidden names are not the operator's: Kubernetes mounts have some.
  const files = readdirSync(folder).filter((name) => !name.startsWith("."));
  for (const file of files.sort()) {
    try {
      const scheme = schemeOf(file);
      if (logos.has(scheme)) throw new Error("this bank already has a logo");
      logos.set(scheme, await drawLogo(readPicture(join(folder, file))));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log().warn({ file, reason }, "BANK_LOGOS_DIR: a file is left out");
    }
  }
  return logos;
}

function schemeOf(file: string): string {
  const scheme = /^(.+)\.(?:png|jpe?g|webp)$/i.exec(file)?.[1];
  if (scheme === undefined) throw new Error("the name does not end in .png, .jpg or .webp");
  if (!isBankScheme(scheme)) throw new Error("the name is not the scheme of a known bank's app");
  return scheme;
}

function readPicture(path: string): Uint8Array {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error("it is not a file");
  if (stats.size > maxFileBytes) throw new Error("it is larger than 1 MB");
  return readFileSync(path);
}

async function drawLogo(bytes: Uint8Array): Promise<BankLogo> {
  const sharp = await loadPictureDecoders();
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" });
  const { format } = await picture.metadata();
  if (!formats.has(format)) throw new Error("it is not a PNG, JPEG or WebP picture");
  const drawn = await picture
    .autoOrient()
    .flatten({ background: "#fff" })
    .resize({ width: logoSide, height: logoSide, fit: "contain", background: "#fff" })
    .toColourspace("srgb")
    .timeout({ seconds: 10 })
    .webp({ quality: 90, smartSubsample: true })
    .toBuffer();
  return new Uint8Array(drawn);
}
