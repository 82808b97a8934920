import type { RulingPreview, RulingProposalView } from "#views/escrow";

/** A ruling whose amounts are shown before it is given. */
export type RulingDraft = RulingPreview & Pick<RulingProposalView, "ruling" | "refundAmount">;
