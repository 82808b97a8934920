// A small in-memory model of one trade's money, with which the property test compares the real code. It knows the rules but no tables; each
// method returns the expected result of the function.

export type Rec = {
  id: number;
  kind: "payout" | "refund";
  /** "escrow", or the id of the payment whose suspense it empties. */
  source: string;
  amount: number;
  fee: number;
  state: "due" | "approved" | "sent" | "done" | "unknown" | "void";
  posted: boolean;
  bankReference: string;
};

export class Model {
  owed = 1_000;
  received = 0;
  held = 0;
  readonly sums = { received: 0, paidOut: 0, refunded: 0, fees: 0 };
  /** Every payout and refund in the order of creation; ids come from the real results. */
  readonly records: Rec[] = [];
  readonly reported: number[] = [];
  readonly byHand: number[] = [];

  /** Expected result of a PAID row of this amount: matched with a manual confirmation, or the amount that goes to suspense. */
  pay(amount: number): "matched" | number {
    const hand = this.byHand.indexOf(amount);
    if (hand >= 0) {
      this.byHand.splice(hand, 1);
      return "matched";
    }
    this.reported.push(amount);
    return this.book(amount);
  }

  hand(amount: number): "PAYMENT_ALREADY_BOOKED" | number {
    if (this.reported.includes(amount)) return "PAYMENT_ALREADY_BOOKED";
    this.byHand.push(amount);
    return this.book(amount);
  }

  private book(amount: number): number {
    const toEscrow = Math.min(amount, Math.max(0, this.owed - this.received));
    this.received += toEscrow;
    this.held += toEscrow;
    this.sums.received += amount;
    return amount - toEscrow;
  }

  promised(source: string): number {
    const open = this.records.filter((one) => one.source === source && one.state !== "void" && !one.posted);
    return open.reduce((total, one) => total + one.amount + one.fee, 0);
  }

  due(kind: Rec["kind"], amount: number, fee: number): string {
    if (amount < 1) return "AMOUNT_INVALID";
    const live = this.records.find(
      (one) => one.kind === kind && one.source === "escrow" && one.state !== "void",
    );
    if (live !== undefined)
      return live.amount === amount && live.fee === fee ? "repeated" : "PAYOUT_CONFLICT";
    return this.promised("escrow") + amount + fee > this.held ? "PAYOUT_EXCEEDS_HELD" : "ok";
  }

  add(rec: Pick<Rec, "id" | "kind" | "source" | "amount" | "fee">): void {
    this.records.push({ ...rec, state: "due", posted: false, bankReference: "" });
  }

  private stopped(rec: Rec): string | null {
    if (this.records.some((one) => one.state === "unknown")) return "PAYOUT_UNKNOWN_OPEN";
    // A refund from suspense always empties its account.
    return rec.source !== "escrow" || this.promised("escrow") === this.held ? null : "PAYOUT_NOT_WHOLE";
  }

  approve(rec: Rec): string {
    if (["approved", "sent", "done"].includes(rec.state)) return "repeated";
    if (rec.state !== "due") return "PAYOUT_CONFLICT";
    const stopped = this.stopped(rec);
    if (stopped === null) rec.state = "approved";
    return stopped ?? "ok";
  }

  send(rec: Rec, bankReference: string): string {
    if (rec.state !== "approved") {
      const same = ["sent", "done"].includes(rec.state) && rec.bankReference === bankReference;
      return same ? "repeated" : "PAYOUT_CONFLICT";
    }
    const stopped = this.stopped(rec);
    if (stopped === null) this.leave(rec, bankReference);
    return stopped ?? "ok";
  }

  private leave(rec: Rec, bankReference: string, sign = 1): void {
    Object.assign(rec, { state: "sent", posted: true, bankReference });
    if (rec.source === "escrow") this.held -= sign * (rec.amount + rec.fee);
    this.sums[rec.kind === "payout" ? "paidOut" : "refunded"] += sign * rec.amount;
    this.sums.fees += sign * rec.fee;
  }

  done(rec: Rec): string {
    if (rec.state === "done") return "repeated";
    if (rec.state !== "sent") return "PAYOUT_CONFLICT";
    rec.state = "done";
    return "ok";
  }

  doubt(rec: Rec): string {
    if (rec.state === "unknown") return "repeated";
    if (rec.state !== "approved" && rec.state !== "sent") return "PAYOUT_CONFLICT";
    rec.state = "unknown";
    return "ok";
  }

  foundSent(rec: Rec, bankReference: string): string {
    const known = rec.bankReference !== "";
    if (rec.state !== "unknown") {
      const same = ["sent", "done"].includes(rec.state) && rec.bankReference === bankReference;
      return same ? "repeated" : "PAYOUT_CONFLICT";
    }
    if (known && rec.bankReference !== bankReference) return "PAYOUT_CONFLICT";
    if (rec.posted) rec.state = "sent";
    else this.leave(rec, bankReference);
    return "ok";
  }

  /** `replaced`: another payout already replaced this one. */
  foundUnsent(rec: Rec, replaced: boolean): string {
    if (rec.state !== "unknown") return replaced ? "repeated" : "PAYOUT_CONFLICT";
    if (rec.posted) this.leave(rec, rec.bankReference, -1);
    Object.assign(rec, { state: "void", posted: false });
    return "ok";
  }

  takeBack(rec: Rec): string {
    if (rec.state === "due") return "repeated";
    if (rec.state !== "approved") return "PAYOUT_CONFLICT";
    rec.state = "due";
    return "ok";
  }

  voidLive(): string {
    const live = this.records.filter((one) => one.source === "escrow" && one.state !== "void");
    if (live.some((one) => one.state !== "due" && one.state !== "approved")) return "MONEY_ALREADY_SENT";
    for (const one of live) one.state = "void";
    return "ok";
  }
}
