const panelFrames: ReadonlySet<string> = new Set([
  "transaction_update",
  "transaction_confirmation",
  "info_exchange",
  "payment",
  "user_role_update",
  "user_join",
  "user_leave",
]);

/** True if a frame of this type says that the trade, its parties or their roles changed: what a page shows of them is to be fetched again. */
export function changesTrade(frameType: string): boolean {
  return panelFrames.has(frameType);
}
