import { type SQL, sql } from "drizzle-orm";

/** The problems that `verifyLedger` can find. */
export type ProblemCode =
  | "JOURNAL_UNBALANCED"
  | "JOURNAL_UNEXPECTED"
  | "JOURNAL_ASTRAY"
  | "CORRECTION_DIFFERS"
  | "CORRECTION_UNKNOWN"
  | "PAYOUT_AND_CORRECTION_DISAGREE"
  | "BALANCE_DIFFERS"
  | "BALANCE_NEGATIVE"
  | "SUSPENSE_WITHOUT_REFUND"
  | "ESCROW_OVERPROMISED"
  | "SUMS_DIFFER";

/** The proofs. Each is a set-based query over the whole ledger that returns the names (`what`) of the records that break it. */
export const ledgerProofQueries: ReadonlyArray<{ code: ProblemCode; broken: SQL }> = [
  {
    code: "JOURNAL_UNBALANCED",
    broken: sql`
      SELECT j.event AS what FROM payments.journals j LEFT JOIN payments.entries e ON e.journal_id = j.id
      GROUP BY j.id HAVING count(e.account) < 2 OR coalesce(sum(e.amount), 0) <> 0`,
  },
  {
    // Every payment, every payout or refund ever sent and every settlement that two administrators confirmed has exactly one journal with
    // exactly these lines, and no other journal of these kinds exists.
    code: "JOURNAL_UNEXPECTED",
    broken: sql`
      WITH expected AS (
        SELECT 'payment:' || id AS event, line.account, line.amount FROM payments.payments p,
          LATERAL (VALUES ('provider:qpay', p.amount), ('escrow:' || p.reference, -p.to_escrow),
            ('suspense:' || p.id, -p.to_suspense)) AS line (account, amount)
        WHERE line.amount <> 0
        UNION ALL
        SELECT 'payout:' || id, line.account, line.amount FROM payments.payouts p,
          LATERAL (VALUES (CASE p.source WHEN 'escrow' THEN 'escrow:' || p.reference ELSE p.source END, p.amount + p.fee),
            ('bank', -p.amount), ('fees', -p.fee)) AS line (account, amount)
        WHERE p.sent_at IS NOT NULL AND line.amount <> 0
        UNION ALL
        SELECT 'settlement:' || bank_reference, line.account, line.amount FROM payments.settlements s,
          LATERAL (VALUES ('bank', s.received), ('expense:qpay', s.cost), ('provider:qpay', -s.received - s.cost))
            AS line (account, amount)
        WHERE s.confirmed_at IS NOT NULL AND line.amount <> 0
      ), actual AS (
        SELECT j.event, e.account, e.amount FROM payments.journals j JOIN payments.entries e ON e.journal_id = j.id
        WHERE j.kind IN ('payment', 'payout', 'refund', 'settlement')
      )
      SELECT DISTINCT event AS what FROM expected FULL JOIN actual USING (event, account)
      WHERE expected.amount IS DISTINCT FROM actual.amount`,
  },
  {
    // Every journal names the record it belongs to, as its event does, and moves only the escrow of its own reference.
    code: "JOURNAL_ASTRAY",
    broken: sql`
      SELECT j.event AS what FROM payments.journals j
      LEFT JOIN payments.payments p ON p.id = j.payment_id LEFT JOIN payments.payouts o ON o.id = j.payout_id
      LEFT JOIN payments.journals c ON c.id = j.corrects
      WHERE NOT coalesce(CASE j.kind
        WHEN 'payment' THEN j.event = 'payment:' || p.id AND p.reference = j.reference
        WHEN 'settlement' THEN j.event LIKE 'settlement:%' AND num_nonnulls(j.payment_id, j.payout_id, j.corrects, j.reference) = 0
        WHEN 'correction' THEN j.event = 'correction:' || c.id AND c.reference IS NOT DISTINCT FROM j.reference
        ELSE j.event = 'payout:' || o.id AND o.kind = j.kind AND o.reference = j.reference AND o.sent_at IS NOT NULL
      END, false)
      UNION ALL
      SELECT DISTINCT j.event FROM payments.journals j JOIN payments.entries e ON e.journal_id = j.id
      WHERE e.account LIKE 'escrow:%' AND e.account <> 'escrow:' || coalesce(j.reference, 0)`,
  },
  {
    // A correction reverses only the journal of a payout or refund that was found not sent, or of a payment whose hold was resolved that
    // way.
    code: "CORRECTION_UNKNOWN",
    broken: sql`
      SELECT j.event AS what FROM payments.journals j
      LEFT JOIN payments.journals c ON c.id = j.corrects LEFT JOIN payments.payouts o ON o.id = c.payout_id
      LEFT JOIN payments.payments p ON p.id = c.payment_id
      WHERE (j.kind = 'correction' OR j.corrects IS NOT NULL) AND NOT coalesce(o.state = 'void' AND o.sent_at IS NOT NULL, false)
        AND NOT EXISTS (SELECT FROM payments.holds h WHERE h.reference = p.reference
          AND h.outcome = CASE WHEN p.taken_back_at IS NOT NULL THEN 'taken_back' WHEN p.same_as IS NOT NULL THEN 'same_payment' END)`,
  },
  {
    code: "CORRECTION_DIFFERS",
    broken: sql`
      SELECT DISTINCT c.event AS what FROM payments.journals c JOIN payments.entries e ON e.journal_id IN (c.id, c.corrects)
      WHERE c.kind = 'correction' GROUP BY c.event, e.account HAVING sum(e.amount) <> 0`,
  },
  {
    code: "PAYOUT_AND_CORRECTION_DISAGREE",
    broken: sql`
      SELECT 'payout:' || p.id AS what FROM payments.payouts p
      LEFT JOIN payments.journals j ON j.event = 'payout:' || p.id
      LEFT JOIN payments.journals c ON c.corrects = j.id
      WHERE CASE
        WHEN p.state IN ('sent', 'done') THEN j.id IS NULL OR c.id IS NOT NULL
        WHEN p.state = 'unknown' THEN c.id IS NOT NULL
        ELSE (j.id IS NULL) <> (c.id IS NULL)
      END`,
  },
  {
    code: "BALANCE_DIFFERS",
    broken: sql`
      SELECT account AS what FROM payments.balances b FULL JOIN (
        SELECT account, -sum(amount) AS total FROM payments.entries
        WHERE account LIKE 'escrow:%' OR account LIKE 'suspense:%' GROUP BY account
      ) e USING (account) WHERE coalesce(b.balance, 0) <> coalesce(e.total, 0)`,
  },
  { code: "BALANCE_NEGATIVE", broken: sql`SELECT account AS what FROM payments.balances WHERE balance < 0` },
  {
    code: "SUSPENSE_WITHOUT_REFUND",
    broken: sql`
      SELECT b.account AS what FROM payments.balances b LEFT JOIN payments.payouts p
        ON p.source = b.account AND p.sent_at IS NULL AND p.state <> 'void'
      WHERE b.account LIKE 'suspense:%' GROUP BY b.account, b.balance
      HAVING coalesce(sum(p.amount + p.fee), 0) <> b.balance`,
  },
  {
    code: "ESCROW_OVERPROMISED",
    broken: sql`
      SELECT 'escrow:' || p.reference AS what FROM payments.payouts p
      LEFT JOIN payments.balances b ON b.account = 'escrow:' || p.reference
      WHERE p.source = 'escrow' AND p.sent_at IS NULL AND p.state <> 'void'
      GROUP BY p.reference, b.balance HAVING sum(p.amount + p.fee) > coalesce(b.balance, 0)`,
  },
];
