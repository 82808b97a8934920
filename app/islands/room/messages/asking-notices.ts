import type { Message } from "../types.ts";

/** Notices of a handover, of which the latest alone says what the buyer does. */
const handOverPattern = /^(handedOver|vaultSealedAnew)/;

const kindOf = (code: string) => (handOverPattern.test(code) ? "handOver" : code);

/**
 * The `seq` of each notice whose instruction applies, separated by spaces: of a kind only the latest. `askingCodes`: those that still ask for
 * something. A string, because it is compared with each rendering.
 */
export function findAskingSeqs(messages: readonly Message[], askingCodes: string): string {
  const codes = new Set(askingCodes.split(" "));
  const latest = new Map<string, { code: string; seq: number }>();
  for (const { seq, notice } of messages)
    if (notice !== undefined) latest.set(kindOf(notice.code), { code: notice.code, seq });
  return [...latest.values()]
    .filter(({ code }) => codes.has(code))
    .map(({ seq }) => seq)
    .join(" ");
}
