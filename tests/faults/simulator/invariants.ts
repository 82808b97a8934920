import type { Sql } from "postgres";

/** What must be true of every trade whatever happened: each query returns the rows that break it. `trades` are their ids. */
const laws: Record<string, (sql: Sql, trades: number[]) => Promise<ReadonlyArray<Record<string, unknown>>>> =
  {
    "received = held + suspense + paid out + fees + refunded": (sql, trades) => sql`
    SELECT t.id, coalesce(p.received, 0) AS received, coalesce(e.held, 0) AS held, coalesce(e.suspense, 0) AS suspense,
      coalesce(o.paid, 0) AS paid, coalesce(o.fees, 0) AS fees, coalesce(o.refunded, 0) AS refunded
    FROM escrow.trades t
    LEFT JOIN (SELECT reference, sum(amount) AS received FROM payments.payments
      WHERE taken_back_at IS NULL AND same_as IS NULL GROUP BY 1) p ON p.reference = t.id
    LEFT JOIN (SELECT j.reference, -sum(n.amount) FILTER (WHERE account LIKE 'escrow:%') AS held,
        -sum(n.amount) FILTER (WHERE account LIKE 'suspense:%') AS suspense
      FROM payments.entries n JOIN payments.journals j ON j.id = n.journal_id GROUP BY 1) e ON e.reference = t.id
    LEFT JOIN (SELECT reference, sum(amount) FILTER (WHERE kind = 'payout') AS paid, sum(fee) AS fees,
        sum(amount) FILTER (WHERE kind = 'refund') AS refunded
      FROM payments.payouts WHERE sent_at IS NOT NULL AND state <> 'void' GROUP BY 1) o ON o.reference = t.id
    WHERE t.id = ANY(${trades}) AND coalesce(p.received, 0) <> coalesce(e.held, 0) + coalesce(e.suspense, 0)
      + coalesce(o.paid, 0) + coalesce(o.fees, 0) + coalesce(o.refunded, 0)`,

    "one live payout or refund for each trade, kind and source": (sql, trades) => sql`
    SELECT reference, kind, source, count(*) FROM payments.payouts
    WHERE reference = ANY(${trades}) AND state <> 'void' GROUP BY 1, 2, 3 HAVING count(*) > 1`,

    "no money leaves one source twice": (sql, trades) => sql`
    SELECT o.reference, o.kind, o.source, count(*) FROM payments.payouts o JOIN payments.journals j ON j.payout_id = o.id
    WHERE o.reference = ANY(${trades}) AND j.kind IN ('payout', 'refund')
      AND NOT EXISTS (SELECT FROM payments.journals c WHERE c.corrects = j.id)
    GROUP BY 1, 2, 3 HAVING count(*) > 1`,

    "every PAID row at the provider is booked exactly once": (sql, trades) => sql`
    SELECT i.reference, s.id, s.amount, count(p.id) FROM sandbox.payments s JOIN sandbox.invoices v ON v.id = s.invoice_id
    JOIN payments.invoices i ON i.id = left(v.sender_invoice_no, 36)::uuid
    LEFT JOIN payments.payments p ON p.provider_payment_id = s.id AND p.reference = i.reference AND p.amount = s.amount
    WHERE i.reference = ANY(${trades}) AND s.status = 'PAID' AND s.names_invoice IS NULL
    GROUP BY 1, 2, 3 HAVING count(p.id) <> 1`,

    "a row that names another invoice is a reason of both trades' holds, and nobody's money but the named one's":
      (sql, trades) => sql`
    SELECT i.reference, s.id, named.reference AS named FROM sandbox.payments s
    JOIN sandbox.invoices v ON v.id = s.invoice_id
    JOIN payments.invoices i ON i.id = left(v.sender_invoice_no, 36)::uuid
    LEFT JOIN payments.invoices named ON named.provider_id = s.names_invoice
    WHERE i.reference = ANY(${trades}) AND s.status = 'PAID' AND s.names_invoice IS NOT NULL AND (
      EXISTS (SELECT FROM payments.payments p WHERE p.provider_payment_id = s.id
        AND (named.reference IS NULL OR p.reference <> named.reference OR NOT EXISTS (
          SELECT FROM payments.holds h WHERE h.reference = p.reference AND h.reason = 'FOREIGN_INVOICE' AND h.outcome = 'booked'
            AND h.subject = 'payment:' || payments.payment_key(s.id) AND h.proposed_by <> h.closed_by)))
      OR EXISTS (SELECT FROM unnest(ARRAY[i.reference, named.reference]) trade WHERE trade IS NOT NULL AND NOT EXISTS (
        SELECT FROM payments.holds h WHERE h.reference = trade AND h.reason = 'FOREIGN_INVOICE'
          AND h.subject = 'payment:' || payments.payment_key(s.id))))`,

    "nothing leaves by an approval whose giver had lost their right since": (sql, trades) => sql`
    SELECT o.reference, o.id FROM payments.payouts o WHERE o.reference = ANY(${trades}) AND o.sent_at IS NOT NULL
      AND o.unknown_at IS NULL AND EXISTS (SELECT FROM identity.admin_grants g
        WHERE g.made = o.approved_by AND g.at > o.approved_at AND g.at < o.sent_at)`,

    "what somebody says they had already sent is not sent again on one person's word": (sql, trades) => sql`
    SELECT o.reference, o.id FROM payments.payouts o WHERE o.reference = ANY(${trades}) AND o.reported_by IS NOT NULL
      AND o.state = 'void' AND o.voided_by = o.reported_by`,

    "nothing is booked that nobody paid or confirmed": (sql, trades) => sql`
    SELECT p.reference, p.id FROM payments.payments p WHERE p.reference = ANY(${trades}) AND hand_reference IS NULL
      AND NOT EXISTS (SELECT FROM sandbox.payments s WHERE s.id = p.provider_payment_id AND s.status IN ('PAID', 'REFUNDED'))`,

    "never completed with the buyer's money back, nor cancelled with the seller paid": (sql, trades) => sql`
    SELECT t.id, t.status, o.kind, o.state FROM escrow.trades t
    JOIN payments.payouts o ON o.reference = t.id AND o.source = 'escrow' AND o.state <> 'void'
    WHERE t.id = ANY(${trades}) AND (t.status = 'cancelled' AND o.kind = 'payout'
      OR t.status = 'completed' AND o.kind = 'refund' AND NOT EXISTS (
        SELECT FROM escrow.disputes d WHERE d.trade_id = t.id AND d.outcome = 'split'))`,

    "a trade has an end when it has ended, and only then": (sql, trades) => sql`
    SELECT id, status, end_reason, ended_at FROM escrow.trades WHERE id = ANY(${trades})
      AND ((status IN ('completed', 'cancelled')) <> (ended_at IS NOT NULL) OR (end_reason IS NULL) <> (ended_at IS NULL))`,

    "no unpaid trade outlives its window": (sql, trades) => sql`
    SELECT id, status FROM escrow.trades WHERE id = ANY(${trades}) AND status IN
      ('initiated', 'payment_initiated', 'payment_pending', 'payment_processing', 'payment_failed')
      AND NOT EXISTS (SELECT FROM payments.holds h WHERE h.reference = escrow.trades.id AND h.closed_at IS NULL)`,

    // The instances' clocks are not one. What was found out about a transfer is a fact, and closes a trade in any case.
    "no trade ends while it is on hold": (sql, trades) => sql`
    SELECT t.id, t.status, t.ended_at, h.reason, h.opened_at FROM escrow.trades t JOIN payments.holds h ON h.reference = t.id
    WHERE t.id = ANY(${trades}) AND h.opened_at < t.ended_at - interval '1 minute'
      AND (h.closed_at IS NULL OR h.closed_at > t.ended_at + interval '1 minute')
      AND NOT EXISTS (SELECT FROM payments.payouts o WHERE o.reference = t.id AND o.unknown_at IS NOT NULL)`,

    "what the provider takes back is a reason of its trade's hold": (sql, trades) => sql`
    SELECT p.reference, p.id FROM payments.payments p JOIN sandbox.payments s ON s.id = p.provider_payment_id
    WHERE p.reference = ANY(${trades}) AND s.status = 'REFUNDED' AND NOT EXISTS (
      SELECT FROM payments.holds h WHERE h.reference = p.reference AND h.reason = 'PAYMENT_REVERSED'
        AND h.subject = 'payment:' || payments.payment_key(s.id))`,

    "what is said once is said once": (sql, trades) => sql`
    SELECT t.id, m.code, count(*) FROM escrow.trades t JOIN rooms.messages m ON m.room_id = t.room_id
    WHERE t.id = ANY(${trades}) AND m.code IN ('paymentRequested', 'paymentWithdrawn', 'paymentConfirmed', 'paymentExpired',
      'handedOver', 'handedOverLate', 'buyerConfirmed', 'sellerConfirmed', 'cancelledByBoth', 'adminCompleted', 'adminCancelled',
      'adminPaysSeller', 'ruledRefund', 'settled')
    GROUP BY 1, 2 HAVING count(*) > 1`,

    "steps are stamped once, in their order, with none left out": (sql, trades) => sql`
    SELECT trade_id, array_agg(step ORDER BY place) FROM (
      SELECT s.*, array_position(ARRAY['initiated', 'payment_initiated', 'payment_processing', 'exchange_info', 'completed'],
        s.step::text) AS place FROM escrow.steps s WHERE trade_id = ANY(${trades})) placed
    GROUP BY 1 HAVING count(*) <> max(place) OR count(*) <> count(DISTINCT place)`,

    "a room's messages are numbered without a gap": (sql, trades) => sql`
    SELECT room_id, count(*), max(seq) FROM rooms.messages WHERE room_id IN (
      SELECT room_id FROM escrow.trades WHERE id = ANY(${trades}))
    GROUP BY 1 HAVING count(*) <> max(seq) OR count(*) <> count(DISTINCT seq)`,

    "a room has one trade": (sql, trades) => sql`
    SELECT room_id, count(*) FROM escrow.trades WHERE room_id IN (SELECT room_id FROM escrow.trades WHERE id = ANY(${trades}))
    GROUP BY 1 HAVING count(*) > 1`,
  };

/** What is broken among these trades, once every job has run; nothing when all is well. */
export async function broken(sql: Sql, trades: number[]): Promise<string[]> {
  const found: string[] = [];
  for (const [law, query] of Object.entries(laws)) {
    const rows = await query(sql, trades);
    if (rows.length > 0) found.push(`${law}: ${JSON.stringify([...rows])}`);
  }
  return found;
}
