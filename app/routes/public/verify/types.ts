import type { PublicTrade } from "#views/escrow";

/** What Midman tells anyone about a code; what only its parties learn is shown apart. */
export type CodeAnswer = Omit<PublicTrade, "own">;
