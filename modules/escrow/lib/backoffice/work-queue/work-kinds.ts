/** Kinds of work that wait for administrators, in the order of the summary above the list. */
export const workKinds = [
  "alarm",
  "payout",
  "refund",
  "suspense",
  "dispute",
  "unconfirmed",
  "hold",
  "byHand",
  "settlement",
  "restriction",
  "report",
  "difference",
  "job",
  "mail",
] as const;
export type WorkKind = (typeof workKinds)[number];
