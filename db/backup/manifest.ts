import { z } from "zod";

/** Version of the archive format. It grows when older programs cannot read the new layout. */
export const FORMAT = 1;

const countSchema = z.number().int().nonnegative();
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** The first item of an archive: enough to tell whether this program can read it. */
export const headerSchema = z.object({
  format: countSchema,
  /** Versions of Midman and of its Postgres. */
  version: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  /** The latest migration, and the version of pg-boss's tables. */
  migration: z.object({ tag: z.string(), when: countSchema }),
  boss: countSchema,
  /** Fingerprints of the keys that open the archive's sealed values, the current one first (`db/secrets/encryption-key-check.ts`). */
  keys: z.array(digestSchema),
});
export type Header = z.infer<typeof headerSchema>;

/** The last item of an archive: all that it must hold and what the restored database must match. */
export const manifestSchema = z.object({
  header: headerSchema,
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: countSchema,
      bytes: countSchema,
      sha256: digestSchema,
      /** Independent of the order of the rows (`contentOf`). */
      sum: z.string(),
    }),
  ),
  sequences: z.array(
    z.object({ name: z.string(), last: z.string(), called: z.boolean(), numbers: z.boolean() }),
  ),
  spans: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  /** `sha256` covers the lines of name and digest. `missing` are files that a row names but that did not exist when files were copied. */
  files: z.object({
    count: countSchema,
    bytes: countSchema,
    sha256: digestSchema,
    missing: z.array(z.string()),
  }),
  ledger: z.object({ whole: z.boolean(), sums: z.record(z.string(), z.number()) }),
  /** The newest block of the log; null before the first. */
  head: z.object({ block: countSchema, head: digestSchema }).nullable(),
});
export type Manifest = z.infer<typeof manifestSchema>;
