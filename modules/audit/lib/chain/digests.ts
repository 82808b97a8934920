import { createHash } from "node:crypto";

/** What the first block's `previous` is. */
export const genesisHead = "0".repeat(64);

/** A place in the order in which entries are sealed; a block begins at one and ends before another. */
export type ChainPosition = { era: number; xid: string };

/** True when `a` comes before `b`. */
export function positionBefore(a: ChainPosition, b: ChainPosition): boolean {
  return a.era === b.era ? BigInt(a.xid) < BigInt(b.xid) : a.era < b.era;
}

/** What a block's own line says of it. Blocks of form 1 were sealed before the forms had numbers, and have none in it. */
export type BlockLine = { n: number; from: ChainPosition; to: ChainPosition; sealedAt: string; form: 1 | 2 };

/**
 * The digest of a block: SHA-256 over the block's own line and then every entry, in order: in form 1 its line, in form 2 the
 * SHA-256 of its line in hexadecimal digits and a line break.
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

/** The canonical JSON of fields as text: keys sorted, jsonb as Postgres prints it, moments to the microsecond in UTC. */
function lineOf(fields: Fields): string {
  const line = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(line)}\n`;
}

/** What stands for an entry in its block's digest. */
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

/** A moment as the digest spells it: that of JavaScript has milliseconds, that of Postgres microseconds. */
export function spellMoment(at: Date): string {
  return at.toISOString().replace("Z", "000Z");
}
