import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";

/** A folder of files as an operator fills it, and how to remove it. */
export function makeLogoFolder(files: Record<string, Uint8Array | string>): {
  path: string;
  remove: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), "midman-bank-logos-"));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, name), bytes);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A picture of one colour. */
export function plainPicture(width: number, height: number, background: string) {
  return sharp({ create: { width, height, channels: 4, background } });
}
