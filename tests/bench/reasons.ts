/** Why a target is missed, by its line in the table. Shown only where it is missed, so it may stay when it is met again. */
export const reasons: Record<string, string> = {
  "Durable messages/s, 1,000 rooms":
    "a fifth to a third of the server's core was in use: what costs is waiting between a transaction's statements, not work",
  "Idle memory per socket":
    "a member's socket keeps who they are, their session, seat and lease beside the subscription that bare Bun has",
  "Rolling restart of two instances under load": "the fault suites' page has no such section",
  "Back up → wipe → restore": "the fault suites' page has no such section",
};
