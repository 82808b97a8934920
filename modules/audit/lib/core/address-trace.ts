import { createHmac, randomBytes } from "node:crypto";

export type Trace = { ip: string | null; device: string | null };

const MAX_IP = 64;
const MAX_DEVICE = 400;

/** Removes what Postgres cannot store in text: null characters and unpaired surrogates. */
export function toStorableText(value: string): string {
  return value.replaceAll("\u0000", "").toWellFormed();
}

/** The address and device as they are stored; undefined when neither is known. */
export function traceOf(ip: string | null | undefined, device: string | null | undefined): Trace | undefined {
  const trace = { ip: trimToLength(ip, MAX_IP), device: trimToLength(device, MAX_DEVICE) };
  return trace.ip === null && trace.device === null ? undefined : trace;
}

/** A random key for one trace: once key and trace are erased, the hash fits any address equally well. */
export function traceKey(): Buffer {
  return randomBytes(32);
}

/** The keyed hash that represents a trace in the chain. */
export function traceHash(key: Buffer, trace: Trace): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([trace.ip, trace.device]))
    .digest("hex");
}

function trimToLength(value: string | null | undefined, length: number): string | null {
  const text = toStorableText((value ?? "").slice(0, length)).trim();
  return text === "" ? null : text;
}
