import { db, type Executor } from "#db/client";
import { findChainHead } from "../chain/chain-head.ts";

/** Signs heads; registered by the module that keeps Midman's evidence key. `sign` returns the Ed25519 signature in base64. */
export type HeadSigner = { publicKey(): Promise<string>; sign(text: string): Promise<string> };

/**
 * A head as it is shown and sent. `statement` is the signed text, one line: a format name, the block and its head as `audit:verify --head`
 * accepts them, and when it was sealed. `publicKey` is in PEM.
 */
export type SignedHead = {
  block: number;
  head: string;
  sealedAt: string;
  statement: string;
  signature: string;
  publicKey: string;
};

let headSigner: HeadSigner | undefined;

/** Registers the signer; another call replaces it. */
export function registerHeadSigner(given: HeadSigner): void {
  headSigner = given;
}

/** The chain's newest head, signed; null before the first block. */
export async function signedHead(exec: Executor = db()): Promise<SignedHead | null> {
  const newest = await findChainHead(exec);
  if (newest === null) return null;
  if (headSigner === undefined) throw new Error("audit: nobody signs heads");
  const { block, head: hash } = newest;
  const sealedAt = newest.sealedAt.toISOString();
  const statement = `midman-head-1 ${block}:${hash} ${sealedAt}`;
  const [signature, publicKey] = await Promise.all([headSigner.sign(statement), headSigner.publicKey()]);
  return { block, head: hash, sealedAt, statement, signature, publicKey };
}
