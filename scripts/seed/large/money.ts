import { type FillContext, inParts, reserveIds } from "./fill-context.ts";

/**
 * Fills the money of the trades in the ledger: payments, payouts and refunds, and for one trade in five hundred a second payment that
 * belongs to none. The sandbox's tables hold the same payments, so that both sides of a reconciliation agree. The triggers that protect the
 * ledger check every row.
 */
export async function fillMoney({ sql, sizes }: FillContext): Promise<void> {
  const paidTwice = 500;
  await sql`
    CREATE TEMP TABLE seed_payments AS
    SELECT row_number() OVER (ORDER BY n, extra) AS m, n, id AS reference, gross AS amount, extra, buyer_id,
      confirmed + CASE WHEN extra THEN interval '5 minutes' ELSE interval '0' END AS paid, invoice_id, 0::bigint AS id
    FROM seed_trades, LATERAL (VALUES (false), (true)) AS line (extra)
    WHERE confirmed IS NOT NULL AND (NOT extra OR n % ${paidTwice} = 1)`;
  const [counted] = await sql`SELECT count(*)::int AS payments FROM seed_payments`;
  const payments = Number(counted?.payments);
  const before = await reserveIds(sql, "payments.payments", payments);
  await sql`UPDATE seed_payments SET id = ${before}::bigint + m`;
  await sql`ALTER TABLE seed_payments ADD PRIMARY KEY (m)`;
  await sql`ANALYZE seed_payments`;
  await inParts(sql, sizes.transactions, 10_000, fillInvoices);
  await inParts(sql, payments, 10_000, fillPayments);
  await fillPayouts(sql);
  await fillReconciliations(sql);
}

type Sql = FillContext["sql"];

/** Creates invoices at the provider and here; those not paid in time are cancelled. */
async function fillInvoices(tx: Sql, from: number, to: number): Promise<void> {
  await tx`
    INSERT INTO sandbox.invoices (id, sender_invoice_no, receiver_code, description, amount, callback_url, qr_text, short_url, status,
      created_at)
    SELECT invoice_id, 'S' || id, 'terminal', 'Midman', gross, 'http://127.0.0.1:1/', 'qr' || id, 'http://127.0.0.1:1/' || id,
      CASE WHEN confirmed IS NOT NULL THEN 'CLOSED' WHEN fate = 'expired' THEN 'CANCELED' ELSE 'OPEN' END, created
    FROM seed_trades WHERE n BETWEEN ${from} AND ${to} AND fate NOT IN ('initiated', 'withdrawn', 'closed')`;
  await tx`
    INSERT INTO payments.invoices (id, reference, amount, description, state, provider_id, qr_text, created_at, expires_at, opened_at,
      ended_at)
    SELECT invoice_id, id, gross, 'Midman', state, invoice_id::text, 'qr' || id, created, created + interval '1 day', created,
      CASE WHEN state <> 'open' THEN coalesce(confirmed, created + interval '1 day') END
    FROM (
      SELECT *, CASE WHEN confirmed IS NOT NULL THEN 'paid' WHEN fate = 'expired' THEN 'cancelled' ELSE 'open' END AS state
      FROM seed_trades WHERE n BETWEEN ${from} AND ${to} AND fate NOT IN ('initiated', 'withdrawn', 'closed')
    ) AS invoiced`;
  await tx`
    INSERT INTO payments.provider_invoices (invoice_id, sender_invoice_no, secret_hash, state, provider_id, withdrawal, sent_at)
    SELECT invoice_id, 'S' || id, sha256(invoice_id::text::bytea), 'opened', invoice_id::text,
      CASE WHEN fate = 'expired' THEN 'cancelled' END, created
    FROM seed_trades WHERE n BETWEEN ${from} AND ${to} AND fate NOT IN ('initiated', 'withdrawn', 'closed')`;
}

async function fillPayments(tx: Sql, from: number, to: number): Promise<void> {
  await tx`
    INSERT INTO sandbox.payments (id, invoice_id, status, amount, currency, kind, paid_at)
    SELECT 'SP' || id, invoice_id, 'PAID', amount, 'MNT', 'P2P', paid FROM seed_payments WHERE m BETWEEN ${from} AND ${to}`;
  await tx`
    INSERT INTO payments.payments (id, reference, provider_payment_id, invoice_id, amount, to_escrow, to_suspense, paid_at, booked_at,
      wallet, kind, payer_bank)
    OVERRIDING SYSTEM VALUE
    SELECT id, reference, 'SP' || id, invoice_id, amount, CASE WHEN extra THEN 0 ELSE amount END, CASE WHEN extra THEN amount ELSE 0 END,
      paid, paid, 'QPay', 'P2P', '050000'
    FROM seed_payments WHERE m BETWEEN ${from} AND ${to}`;
  await tx`
    INSERT INTO payments.journals (event, kind, reference, payment_id, at)
    SELECT 'payment:' || id, 'payment', reference, id, paid FROM seed_payments WHERE m BETWEEN ${from} AND ${to}`;
  await tx`
    INSERT INTO payments.entries (journal_id, account, amount)
    SELECT j.id, line.account, line.amount
    FROM seed_payments p JOIN payments.journals j ON j.event = 'payment:' || p.id, LATERAL (VALUES
      ('provider:qpay', p.amount), (CASE WHEN extra THEN 'suspense:' || p.id ELSE 'escrow:' || p.reference END, -p.amount)
    ) AS line (account, amount) WHERE m BETWEEN ${from} AND ${to}`;
}

/** Creates a payout for every trade whose money has left or will leave; each passes through its states. */
async function fillPayouts(sql: Sql): Promise<void> {
  await sql`
    CREATE TEMP TABLE seed_payouts AS
    SELECT row_number() OVER (ORDER BY decided, source) AS m, 0::bigint AS id, made.* FROM (
      SELECT n, id AS reference, 'escrow' AS source, both_at AS decided,
        CASE WHEN fate IN ('refunded', 'ruled_refund') THEN 'refund' ELSE 'payout' END AS kind,
        CASE WHEN fate IN ('refunded', 'ruled_refund') THEN buyer_id ELSE seller_id END AS recipient_id,
        CASE WHEN fate IN ('refunded', 'ruled_refund') THEN gross ELSE gross - fee END AS amount,
        CASE WHEN fate IN ('refunded', 'ruled_refund') THEN 0 ELSE fee END AS fee, fate <> 'settlement_pending' AS sent
      FROM seed_trades WHERE fate IN ('paid_out', 'refunded', 'ruled_refund', 'ruled_release', 'settlement_pending')
      UNION ALL
      SELECT n, reference, 'suspense:' || id, paid, 'refund', buyer_id, amount, 0, paid < now() - interval '20 days'
      FROM seed_payments WHERE extra
    ) AS made`;
  const [counted] = await sql`SELECT count(*)::int AS payouts FROM seed_payouts`;
  const payouts = Number(counted?.payouts);
  const before = await reserveIds(sql, "payments.payouts", payouts);
  await sql`UPDATE seed_payouts SET id = ${before}::bigint + m`;
  await sql`ALTER TABLE seed_payouts ADD PRIMARY KEY (m)`;
  await sql`ANALYZE seed_payouts`;
  await inParts(sql, payouts, 10_000, async (tx, from, to) => {
    await tx`
      INSERT INTO payments.payouts (id, reference, kind, source, amount, fee, recipient_id, destination, due_at, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT id, reference, kind, source, amount, fee, recipient_id, jsonb_build_object('bankName',
        (ARRAY['Хаан банк', 'Голомт банк', 'Худалдаа хөгжлийн банк', 'Төрийн банк'])[1 + id % 4], 'accountName', 'Хүлээн авагч ' || recipient_id,
        'accountNumber', (5000000000 + recipient_id)::text), decided + interval '3 hours', decided
      FROM seed_payouts WHERE m BETWEEN ${from} AND ${to}`;
    await sendPayouts(tx, before + from, before + to);
  });
}

/** Approves, sends and finishes payouts; some of the newest remain in each state. */
async function sendPayouts(tx: Sql, first: number, last: number): Promise<void> {
  const leaving = tx`
    FROM seed_payouts s, (SELECT coalesce(min(id), 0) AS admin FROM identity.users WHERE is_admin) AS who
    WHERE p.id = s.id AND s.id BETWEEN ${first} AND ${last} AND (sent OR s.id % 5 = 0)`;
  await tx`
    UPDATE payments.payouts p SET state = 'approved', approved_by = who.admin, approved_at = least(decided + interval '20 minutes', now())
    ${leaving}`;
  await tx`
    INSERT INTO payments.journals (event, kind, reference, payout_id, at)
    SELECT 'payout:' || id, kind, reference, id, least(decided + (20 + id % 150) * interval '1 minute', now())
    FROM seed_payouts WHERE id BETWEEN ${first} AND ${last} AND sent`;
  await tx`
    INSERT INTO payments.entries (journal_id, account, amount)
    SELECT j.id, line.account, line.amount
    FROM seed_payouts p JOIN payments.journals j ON j.event = 'payout:' || p.id, LATERAL (VALUES
      (CASE source WHEN 'escrow' THEN 'escrow:' || p.reference ELSE source END, p.amount + p.fee), ('bank', -p.amount), ('fees', -p.fee)
    ) AS line (account, amount) WHERE p.id BETWEEN ${first} AND ${last} AND sent AND line.amount <> 0`;
  await tx`
    UPDATE payments.payouts p SET state = 'sent', sent_by = who.admin, bank_reference = 'FT' || p.id,
      sent_at = least(decided + (20 + p.id % 150) * interval '1 minute', now())
    ${leaving} AND sent`;
  await tx`
    UPDATE payments.payouts p SET state = 'done', done_by = who.admin, done_at = least(decided + interval '22 hours', now())
    ${leaving} AND sent AND decided < now() - interval '5 days'`;
}

/** Creates every morning's reconciliation, with an occasional difference that was resolved, and a few that are open. */
async function fillReconciliations(sql: Sql): Promise<void> {
  await sql`
    INSERT INTO payments.reconciliation_runs (day, begun_at, there_count, there_sum, here_count, here_sum, found, opened, vanished)
    SELECT day, day + interval '1 day 6 hours', 0, 0, 0, 0, 0, 0, 0
    FROM generate_series((now() - interval '364 days')::date, (now() - interval '1 day')::date, interval '1 day') AS day`;
  await sql`
    INSERT INTO payments.reconciliation_tasks (day, cause, subject, figures, payment_id, reference, here_amount, found_at, seen_at, state,
      closed_at, resolved_by, note)
    SELECT paid::date, 'status', 'SP' || p.id, '', p.id, reference, amount, paid, paid, CASE WHEN waits THEN 'open' ELSE 'resolved' END,
      CASE WHEN NOT waits THEN paid END, CASE WHEN NOT waits THEN who.admin END, CASE WHEN NOT waits THEN 'Банктай тулгасан' END
    FROM (SELECT *, m > max(m) OVER () - 1000 AS waits FROM seed_payments) AS p,
      (SELECT coalesce(min(id), 0) AS admin FROM identity.users WHERE is_admin) AS who WHERE m % 200 = 7`;
}
