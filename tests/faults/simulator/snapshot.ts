import type { Destination } from "#forms/payments";
import { type HoldReason, keyOf, type State } from "./model/state.ts";
import { accountOf, type Subject } from "./perform.ts";
import type { World } from "./world.ts";

/** How a trade stands in the database, in one instant. */
export type Snapshot = Record<string, unknown> & {
  id: number;
  payments: Array<{ row: string | null; hand: string | null; amount: number; own: number }>;
  payouts: Array<{
    id: number;
    account: string | null;
    replaces: number | null;
    destination: Destination | null;
  }>;
  holds: Array<{
    id: number;
    reason: HoldReason;
    row: string;
    by: number | null;
    outcome: string | null;
    note?: string | null;
    openedBy?: number | null;
  }>;
  disputedAt: string | null;
  ruling: { id: number } | null;
  accounts: Array<{ kind: "bank" | "refund"; number: string }>;
};

/** Reads the trades as they stand, in one statement. */
export async function snapshots(world: World, ids: readonly number[]): Promise<Map<number, Snapshot>> {
  const rows = await world.sql<Array<Snapshot & { window_due: string | null }>>`
    SELECT t.id::int, t.status, t.amount::int, t.fee::int, t.gross::int, t.net::int, t.fee_payer AS payer,
      t.invoice_id AS invoice, t.end_reason AS end,
      t.marked_paid_at IS NOT NULL AS "markedPaid", t.confirmed_at IS NOT NULL AS confirmed,
      t.roles_locked_at IS NOT NULL AS locked, t.received_otherwise_at IS NOT NULL AS "receivedOtherwise",
      t.handed_over_at IS NOT NULL AS "handedOver", t.buyer_completed_at IS NOT NULL AS "buyerDone",
      t.seller_completed_at IS NOT NULL AS "sellerDone", t.buyer_cancel_at IS NOT NULL AS "buyerCancel",
      t.seller_cancel_at IS NOT NULL AS "sellerCancel", t.hidden_at IS NOT NULL AS hidden,
      coalesce((SELECT balance FROM payments.balances WHERE account = 'escrow:' || t.id), 0)::int AS held,
      (SELECT extract(epoch FROM due_at) * 1000 FROM escrow.deadlines
        WHERE trade_id = t.id AND kind = 'payment_window' AND state <> 'closed') AS window_due,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('row', provider_payment_id, 'hand', hand_reference,
          'amount', amount, 'own', CASE WHEN taken_back_at IS NULL AND same_as IS NULL THEN to_escrow ELSE 0 END) ORDER BY id), '[]') FROM payments.payments WHERE reference = t.id) AS payments,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('by', opened_by, 'from', opened_from, 'outcome', outcome,
          'part', refund_amount, 'mediator', taken_by) ORDER BY id), '[]') FROM escrow.disputes WHERE trade_id = t.id) AS disputes,
      (SELECT max(opened_at) FROM escrow.disputes WHERE trade_id = t.id) AS "disputedAt",
      (SELECT jsonb_build_object('by', proposed_by, 'amount', amount, 'reference', bank_reference)
        FROM escrow.hand_confirmations WHERE trade_id = t.id AND confirmed_at IS NULL AND laid_aside_at IS NULL) AS proposal,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'amount', o.amount, 'fee', o.fee,
          'state', o.state, 'account', o.destination ->> 'accountNumber', 'approvedBy', o.approved_by,
          'firstApprovedBy', o.first_approved_by, 'corrected', o.corrected_at IS NOT NULL, 'sentBy', o.sent_by,
          'destination', o.destination, 'claimedBy', o.claimed_by, 'fourEyes', o.four_eyes, 'posted', o.sent_at IS NOT NULL,
          'reference', o.bank_reference, 'replaces', o.replaces, 'referenceMissing', o.reference_missing,
          'reportedBy', o.reported_by, 'takenOverFrom', o.taken_over_from, 'reportedReference', o.reported_reference,
          'source', CASE o.source WHEN 'escrow' THEN 'escrow' ELSE
            (SELECT coalesce('hand:' || hand_reference, 'row:' || provider_payment_id) FROM payments.payments p
              WHERE 'suspense:' || p.id = o.source) END) ORDER BY o.id), '[]')
        FROM payments.payouts o WHERE o.reference = t.id) AS payouts,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'reason', reason, 'row', coalesce(facts ->> 'providerPaymentId', facts ->> 'invoiceId'), 'note', facts ->> 'note', 'openedBy', opened_by,
          'by', proposed_by, 'outcome', proposed_outcome) ORDER BY id), '[]')
        FROM payments.holds WHERE reference = t.id AND closed_at IS NULL AND reason <> 'TRANSFER_IN_DOUBT') AS holds,
      (SELECT jsonb_build_object('id', p.id, 'no', (SELECT count(*) FROM escrow.ruling_proposals q
            WHERE q.trade_id = t.id AND q.id <= p.id), 'by', p.proposed_by, 'ruling', p.ruling, 'part', p.refund_amount,
          'sum', p.sum)
        FROM escrow.ruling_proposals p JOIN escrow.disputes d ON d.id = p.dispute_id AND d.outcome IS NULL
        WHERE p.trade_id = t.id AND p.confirmed_at IS NULL AND p.withdrawn_at IS NULL) AS ruling,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'number', account_number) ORDER BY version), '[]')
        FROM escrow.details WHERE trade_id = t.id AND kind IN ('bank', 'refund')) AS accounts
    FROM escrow.trades t WHERE t.id = ANY(${[...ids]})`;
  return new Map(
    rows.map(({ window_due, ...row }) => {
      const windowDue = window_due === null ? null : Math.floor((Number(window_due) - world.began) / 60_000);
      const holds = row.holds.map(({ note, openedBy, ...hold }) => ({
        ...hold,
        row: hold.row ?? `${world.admins.findIndex(({ id }) => id === openedBy)} ${referenceIn(note)}`,
      }));
      const disputedAt = row.disputedAt && new Date(row.disputedAt).toISOString();
      return [row.id, { ...row, holds, windowDue, disputedAt }];
    }),
  );
}

/** The number of the bank's that a report ends with, as the plan has it. */
const referenceIn = (note?: string | null) =>
  note
    ?.split(" ")
    .at(-1)
    ?.replace(/^T\d+X/, "") ?? "";

/** How a trade stands, told so that what the database says and what the model holds true can be compared word by word. */
export type Told = Record<string, unknown>;

/** What the database says. */
export function told({
  id: _,
  disputedAt: _d,
  payments,
  payouts,
  accounts,
  holds,
  ruling,
  ...plain
}: Snapshot): Told {
  const given = (kind: string) =>
    accounts.filter((one) => one.kind === kind).map(({ number }) => accountOf(number));
  const place = (id: number) => payouts.findIndex(({ replaces }) => replaces === id);
  return {
    ...plain,
    ruling: ruling && { ...ruling, id: undefined },
    holds: holds.map(({ by, outcome, ...one }) => `${keyOf(one)} ${by} ${outcome}`).sort(),
    bank: given("bank"),
    refundTo: given("refund").at(-1) ?? null,
    received: payments.reduce((sum, { own }) => sum + own, 0),
    payments: payments.map(({ row, hand, amount }) => `${hand ?? ""}/${row ?? ""}/${amount}`).sort(),
    payouts: payouts.map(({ id, account, replaces: _, destination: _d, ...one }) => ({
      ...one,
      account: account && accountOf(account),
      replacedBy: place(id) < 0 ? null : place(id),
    })),
  };
}

/** What the model holds true. */
export function toldOf(state: State, { tag }: Subject, world: World): Told {
  const { minute: _, heard: _h, endedIn: _e, bankCorrectedIn: _b, own: _o, rulings: _r, ...all } = state;
  const { confirmedRulings: _c, rows, hands, proposal, disputes, payouts, ruling, holds, ...plain } = all;
  const name = (admin: number | null) => (admin === null ? null : (world.admins[admin]?.id ?? null));
  const tagged = (reference: string | null) => (reference === null ? null : tag + reference);
  const matched = hands.map((one) => one.matched);
  const met = rows.filter(({ id, booked }) => booked && !matched.includes(id));
  return {
    ...plain,
    payments: [
      ...hands.map((one) => `${tagged(one.reference)}/${one.matched ?? ""}/${one.amount}`),
      ...met.map((one) => `/${one.id}/${one.amount}`),
    ].sort(),
    proposal: proposal && {
      ...{ by: name(proposal.by), amount: proposal.amount, reference: tagged(proposal.reference) },
    },
    ruling: ruling && { ...ruling, by: name(ruling.by), lapsed: undefined, id: undefined },
    holds: holds
      .map(({ proposal: wants, ...one }) => {
        const by = wants === null ? null : name(wants.by);
        return `${keyOf(one)} ${by} ${wants?.outcome ?? null}`;
      })
      .sort(),
    disputes: disputes.map(({ earlierSplit: _, ...one }) => ({ ...one, mediator: name(one.mediator) })),
    payouts: payouts.map(({ correctedIn, claimedIn: _i, lapsed: _l, unknownBy: _u, ...one }) => ({
      ...one,
      reportedBy: name(one.reportedBy),
      takenOverFrom: name(one.takenOverFrom),
      reportedReference: tagged(one.reportedReference),
      corrected: correctedIn !== null,
      firstApprovedBy: name(one.firstApprovedBy),
      sentBy: name(one.sentBy),
      source: one.source.replace(/^hand:/, `hand:${tag}`),
      approvedBy: name(one.approvedBy),
      claimedBy: name(one.claimedBy),
      reference: tagged(one.reference),
    })),
  };
}

/** Whether the two say the same. */
export function same(a: Told, b: Told): boolean {
  return Bun.deepEquals(a, b);
}

/** In what they differ, for people. */
export function differences(database: unknown, model: unknown, at = ""): string[] {
  if (Bun.deepEquals(database, model)) return [];
  if (!isTree(database) || !isTree(model)) {
    return [`${at}: the database ${JSON.stringify(database)}, the model ${JSON.stringify(model)}`];
  }
  const keys = new Set([...Object.keys(database), ...Object.keys(model)]);
  return [...keys].flatMap((key) => differences(database[key], model[key], at === "" ? key : `${at}.${key}`));
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
