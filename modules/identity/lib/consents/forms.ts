import { z } from "zod";

/** The documents that every person agrees to. */
export const consentDocuments = ["terms", "privacy"] as const;
export type ConsentDocument = (typeof consentDocuments)[number];

/**
 * Every version (date) of each document after the first one of 2025-05-12, oldest first. A changed text gets a new version here, and a text
 * of the catalogues that says what changed (`auth.agree.termsChanges`, `auth.agree.privacyChanges`). Everyone must then agree anew.
 */
export const publishedVersions = {
  terms: ["2026-11-27"],
  privacy: ["2026-11-27"],
} as const satisfies Record<ConsentDocument, readonly string[]>;

/** The versions in force: the newest ones. */
export const consentVersions = {
  terms: publishedVersions.terms[0],
  privacy: publishedVersions.privacy[0],
} as const;

const shownVersion = <Version extends string>(version: Version) =>
  z.literal(version, "validation.documentsOutdated");

/** The versions that were shown when the person agreed; any but those in force are refused. */
export const agreeInput = z.object({
  terms: shownVersion(consentVersions.terms),
  privacy: shownVersion(consentVersions.privacy),
});
export type AgreeInput = z.output<typeof agreeInput>;
