import { z } from "zod";

/** How archives are laid out; a later one that this program cannot read has a higher number. */
export const FORMAT = 1;

const countSchema = z.number().int().nonnegative();
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** What stands first in an archive: enough to say that it cannot be read, before it is read. */
export const headerSchema = z.object({
  format: countSchema,
  /** Of Midman, and of the Postgres it ran on. */
  version: z.string(),
  postgres: z.string(),
  takenAt: z.iso.datetime(),
  /** The latest migration, and the version of pg-boss's tables. */
  migration: z.object({ tag: z.string(), when: countSchema }),
  boss: countSchema,
  /** Fingerprints of the keys that open what is sealed in it, today's first (`keys.ts`). */
  keys: z.array(digestSchema),
});
export type Header = z.infer<typeof headerSchema>;

/** What stands last: everything the archive must hold, and what the restored database must prove. */
export const manifestSchema = z.object({
  header: headerSchema,
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: countSchema,
      bytes: countSchema,
      sha256: digestSchema,
      /** Over the rows in whatever order (`contentOf`). */
      sum: z.string(),
    }),
  ),
  sequences: z.array(
    z.object({ name: z.string(), last: z.string(), called: z.boolean(), numbers: z.boolean() }),
  ),
  spans: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  /** `sha256`: over the lines of name and digest. `missing`: named by a row, and not there when they were copied. */
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
