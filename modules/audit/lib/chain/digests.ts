import { createHash } from "node:crypto";

/** The `previous` of the first block. */
export const genesisHead = "0".repeat(64);

/** A position in the order in which entries are sealed; a block begins at one (included) and ends at another (excluded). */
export type ChainPosition = { era: number; xid: string };

/** True when `a` comes before `b`. */
export function positionBefore(a: ChainPosition, b: ChainPosition): boolean {
  return a.era === b.era ? BigInt(a.xid) < BigInt(b.xid) : a.era < b.era;
}

/** The fields of a block's own line. Blocks of form 1 were sealed before forms had numbers; their line does not contain the form. */
export type BlockLine = { n: number; from: ChainPosition; to: ChainPosition; sealedAt: string; form: 1 | 2 };

/**
 * Computes the digest of a block: SHA-256 over the block's own line and then every entry in order. An entry is added as its line in form 1;
 * in form 2 as the SHA-256 of its line in hexadecimal digits and a line break.
 */
export function blockDigest(block: BlockLine) {
  const hash = createHash("sha256");
  hash.update(lineOf(blockFields(block)));
  const addLine = (line: string) => void hash.update(`${line}\n`);
  const add = (fields: Fields) => {
    if (block.form === 1) hash.update(lineOf(fields));
    else addLine(lineDigest(fields));
  };
  return { add, addLine, hex: () => hash.digest("hex") };
}

type Fields = Record<string, string | null>;

/** The canonical JSON line of text fields: keys sorted, jsonb as Postgres prints it, times in UTC with microseconds. */
function lineOf(fields: Fields): string {
  const line = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(line)}\n`;
}

/** The digest that represents an entry in its block's digest (form 2). */
export function lineDigest(fields: Fields): string {
  return createHash("sha256").update(lineOf(fields)).digest("hex");
}

/** The fields of a block's own line. */
export function blockFields({ n, from, to, sealedAt, form }: BlockLine): Fields {
  return {
    n: String(n),
    fromEra: String(from.era),
    fromXid: from.xid,
    toEra: String(to.era),
    toXid: to.xid,
    sealedAt,
    ...(form !== 1 && { form: String(form) }),
  };
}

/** The chain's head after a block. */
export function headAfter(previous: string, digest: string): string {
  return createHash("sha256").update(`${previous}${digest}`).digest("hex");
}

/** A time as the digest spells it: JavaScript's milliseconds are extended to the microseconds of Postgres. */
export function spellMoment(at: Date): string {
  return at.toISOString().replace("Z", "000Z");
}
