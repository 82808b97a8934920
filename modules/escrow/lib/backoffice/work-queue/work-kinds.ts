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

/** The kinds that the queue limits to a hundred items. Alarms are one or two: all of them are shown. */
export const countedKinds = workKinds.filter((kind): kind is Exclude<WorkKind, "alarm"> => kind !== "alarm");
