import { createHash } from "node:crypto";

/** What the first block's `previous` is. */
export const genesis = "0".repeat(64);

/** A place in the order in which entries are sealed; a block begins at one and ends before another. */
export type Place = { era: number; xid: string };

/** True when `a` comes before `b`. */
export function before(a: Place, b: Place): boolean {
  return a.era === b.era ? BigInt(a.xid) < BigInt(b.xid) : a.era < b.era;
}

/**
 * The digest of a block: SHA-256 over the block's own line and then the line of every entry, in order. A line is the
 * canonical JSON of its fields as text (keys sorted, jsonb as Postgres prints it, moments to the microsecond in UTC).
 */
export function blockDigest(block: { n: number; from: Place; to: Place; sealedAt: string }) {
  const hash = createHash("sha256");
  const add = (fields: Record<string, string | null>) => {
    const line = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    hash.update(`${JSON.stringify(line)}\n`);
  };
  add({
    n: String(block.n),
    fromEra: String(block.from.era),
    fromXid: block.from.xid,
    toEra: String(block.to.era),
    toXid: block.to.xid,
    sealedAt: block.sealedAt,
  });
  return { add, hex: () => hash.digest("hex") };
}

/** The chain's head after a block. */
export function headAfter(previous: string, digest: string): string {
  return createHash("sha256").update(`${previous}${digest}`).digest("hex");
}

/** A moment as the digest spells it: that of JavaScript has milliseconds, that of Postgres microseconds. */
export function spelled(at: Date): string {
  return at.toISOString().replace("Z", "000Z");
}
