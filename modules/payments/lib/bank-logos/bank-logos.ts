import { type BankLogo, drawBankLogos } from "./draw-logos.ts";

let pathsByScheme: ReadonlyMap<string, string> = new Map();
let picturesByPath: ReadonlyMap<string, BankLogo> = new Map();

/** Draws the logos of a folder and keeps them in memory in place of earlier ones; without a folder there are none. */
export async function loadBankLogos(folder: string | undefined): Promise<void> {
  const pictures = folder === undefined ? new Map<string, BankLogo>() : await drawBankLogos(folder);
  const named = [...pictures].map(([scheme, picture]) => {
    return { scheme, picture, path: `/bank-logos/${scheme}-${fingerprintOf(picture)}.webp` };
  });
  pathsByScheme = new Map(named.map(({ scheme, path }) => [scheme, path]));
  picturesByPath = new Map(named.map(({ path, picture }) => [path, picture]));
}

/** The path of a bank's logo. The picture at one path never changes, so it may be cached for any time. Null if the bank has none. */
export function bankLogoPath(scheme: string): string | null {
  return pathsByScheme.get(scheme) ?? null;
}

/** The WebP at a path that `bankLogoPath` gave. */
export function findBankLogo(path: string): BankLogo | undefined {
  return picturesByPath.get(path);
}

function fingerprintOf(picture: BankLogo): string {
  return new Bun.CryptoHasher("sha256").update(picture).digest("base64url");
}
