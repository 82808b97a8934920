import { z } from "zod";

/** The documents that every person agrees to. */
export const consentDocuments = ["terms", "privacy"] as const;
export type ConsentDocument = (typeof consentDocuments)[number];

/**
 * Every version (date) of each document after the first one of 2025-05-12, oldest first. A changed text gets a new version here, and a text
 * of the catalogues that says what changed (`auth.agree.termsChanges`, `auth.agree.privacyChanges`). Everyone must then agree to it.
 */
export const publishedVersions = {
  terms: ["2026-11-27"],
  privacy: ["2026-11-27", "2026-11-28", "2026-11-29"],
} as const satisfies Record<ConsentDocument, readonly string[]>;

type Newest<Versions extends readonly string[]> = Versions extends readonly [...string[], infer Last]
  ? Last
  : never;

/** The last of a document's versions, which is the one in force. */
export function newestVersion<const Versions extends readonly [string, ...string[]]>(
  versions: Versions,
): Newest<Versions> {
  return versions.at(-1) as Newest<Versions>;
}

/** The versions in force. */
export const consentVersions = {
  terms: newestVersion(publishedVersions.terms),
  privacy: newestVersion(publishedVersions.privacy),
} as const;

const shownVersion = <Version extends string>(version: Version) =>
  z.literal(version, "validation.documentsOutdated");

/** The versions that were shown when the person agreed; any but those in force are refused. */
export const agreeInput = z.object({
  terms: shownVersion(consentVersions.terms),
  privacy: shownVersion(consentVersions.privacy),
});
export type AgreeInput = z.output<typeof agreeInput>;
