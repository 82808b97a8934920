import { type FillContext, inParts } from "./fill-context.ts";

/** Descriptions of items, as people write them. */
const tradeDescriptions = [
  "Steam данс, Дота 2-ын 60 ховор эд",
  "Steam account with CS2 knives",
  "PUBG Mobile данс, Conqueror зэрэгтэй",
  "Mobile Legends хаяг, 180 skin",
  "Genshin Impact account AR 58",
  "Инстаграм хуудас, 24 мянган дагагчтай",
  "Facebook хуудас, дэлгүүрийн нэртэй",
  "YouTube channel, 8k subscribers",
  "Домэйн нэр, таван үсэгтэй",
  "Logo and brand design",
  "Вэб сайт хийлгэх ажил",
  "Valorant данс, Immortal",
  "World of Warcraft gold",
  "Тоглоомын түлхүүр, гурван ширхэг",
];

/**
 * Creates trades over the year, the newest of them open and the rest completed. `seed_trades` keeps the outcome of each for the later
 * steps: its `fate` is its status or, for a completed one, how it ended.
 */
export async function fillTrades({ sql, sizes, users, rooms, trades }: FillContext): Promise<void> {
  const open = Math.min(Math.max(40, Math.round(sizes.transactions * 0.006)), sizes.transactions / 2);
  await sql`
    CREATE TEMP TABLE seed_trades AS
    WITH numbered AS (
      SELECT n, random() AS chance, n > ${sizes.transactions}::int - ${open}::int AS open,
        CASE WHEN n > ${sizes.transactions}::int - ${open}::int
          THEN now() - interval '18 hours' * (${sizes.transactions}::int - n) / ${open}::int - interval '30 minutes'
          ELSE now() - interval '364 days' * (1 - n::float / ${sizes.transactions}) - interval '1 day' END AS created,
        1 + floor(power(random(), 1.6) * greatest(1, ${sizes.users}::float * n / ${sizes.transactions} - 2))::int AS one,
        floor(random() * 80)::int AS gap,
        (20 + floor(power(random(), 3) * 3000)::bigint) * 1000 AS amount,
        (ARRAY['buyer', 'seller', 'split'])[1 + n % 3] AS fee_payer
      FROM generate_series(1, ${sizes.transactions}::int) AS n
    ), fated AS (
      SELECT *, round(CASE WHEN amount <= 50000 THEN 5000 ELSE least(5000 + amount * 0.05, amount * 0.2) END)::bigint AS fee,
        CASE
          WHEN open THEN (ARRAY['initiated', 'payment_initiated', 'payment_pending', 'payment_confirmed', 'payment_confirmed',
            'exchange_completed', 'settlement_pending', 'settlement_pending', 'disputed'])[1 + n % 9]
          WHEN chance < 0.68 THEN 'paid_out' WHEN chance < 0.70 THEN 'closed' WHEN chance < 0.81 THEN 'expired'
          WHEN chance < 0.87 THEN 'withdrawn' WHEN chance < 0.95 THEN 'refunded' WHEN chance < 0.97 THEN 'ruled_refund'
          ELSE 'ruled_release' END AS fate
      FROM numbered
    )
    SELECT n, ${trades}::bigint + n AS id, ${rooms}::bigint + n AS room_id, gen_random_uuid() AS invoice_id, fate, created, amount, fee,
      fee_payer, amount + CASE fee_payer WHEN 'buyer' THEN fee WHEN 'split' THEN fee - fee / 2 ELSE 0 END AS gross,
      ${users}::bigint + one AS buyer_id,
      ${users}::bigint + CASE WHEN one + 1 + gap <= ${sizes.users}::int THEN one + 1 + gap ELSE greatest(1, one - 1 - gap) END AS seller_id,
      CASE WHEN fate NOT IN ('initiated', 'payment_initiated', 'payment_pending', 'closed', 'expired', 'withdrawn')
        THEN created + interval '4 minutes' + random() * interval '20 minutes' END AS confirmed,
      least(created + interval '3 hours' + random() * interval '18 hours', now()) AS both_at
    FROM fated`;
  await sql`ALTER TABLE seed_trades ADD PRIMARY KEY (n)`;
  await sql`ANALYZE seed_trades`;
  await inParts(sql, sizes.transactions, 10_000, async (tx, from, to) => {
    await tx`
      INSERT INTO escrow.trades (id, code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, description,
        status, invoice_id, roles_locked_at, confirmed_at, buyer_completed_at, seller_completed_at, disputed_from, end_reason,
        ended_at, created_at, updated_at)
      OVERRIDING SYSTEM VALUE
      SELECT id, 'MM-' || translate(lpad(upper(to_hex(id * 2654435761 % 4294967296)), 8, '0'), 'ILOU', '0000'), room_id, buyer_id,
        seller_id, amount, fee, fee_payer, 'standard', gross, gross - fee,
        (${tradeDescriptions}::text[])[1 + n % ${tradeDescriptions.length}::int] || ' #' || id, status, CASE WHEN invoiced THEN invoice_id END,
        CASE WHEN invoiced THEN created END, confirmed,
        CASE WHEN both_done OR fate = 'exchange_completed' THEN both_at END, CASE WHEN both_done THEN both_at END,
        CASE WHEN fate = 'disputed' THEN 'payment_confirmed' END, end_reason, CASE WHEN end_reason IS NOT NULL THEN both_at END,
        created, both_at
      FROM (
        SELECT *, fate IN ('paid_out', 'ruled_release', 'settlement_pending') AS both_done,
          fate NOT IN ('initiated', 'withdrawn', 'closed') AS invoiced,
          CASE WHEN fate IN ('paid_out', 'closed', 'ruled_release') THEN 'completed'
            WHEN fate IN ('expired', 'withdrawn', 'refunded', 'ruled_refund') THEN 'cancelled' ELSE fate END AS status,
          CASE fate WHEN 'paid_out' THEN 'paid_out' WHEN 'ruled_release' THEN 'paid_out' WHEN 'closed' THEN 'closed'
            WHEN 'refunded' THEN 'agreed' WHEN 'ruled_refund' THEN 'ruling' WHEN 'expired' THEN 'expired'
            WHEN 'withdrawn' THEN 'withdrawn' END AS end_reason
        FROM seed_trades WHERE n BETWEEN ${from} AND ${to}
      ) AS ended`;
    await fillClocks(tx, from, to);
    await fillDisputes(tx, from, to);
  });
}

/** Creates completed steps and deadlines: those of completed trades have passed, those of open ones are running. */
async function fillClocks(tx: FillContext["sql"], from: number, to: number): Promise<void> {
  await tx`
    INSERT INTO escrow.steps (trade_id, step, completed_at)
    SELECT id, step, at FROM seed_trades, LATERAL (VALUES
      ('initiated', created), ('payment_initiated', CASE WHEN fate NOT IN ('initiated', 'withdrawn', 'closed') THEN created END),
      ('payment_processing', confirmed), ('completed', CASE WHEN fate IN ('paid_out', 'ruled_release') THEN both_at END)
    ) AS line (step, at) WHERE n BETWEEN ${from} AND ${to} AND at IS NOT NULL`;
  await tx`
    INSERT INTO escrow.deadlines (trade_id, kind, state, started_at, due_at, next_at, closed_at)
    SELECT id, kind, CASE WHEN live THEN 'running' ELSE 'closed' END, since, since + hours * interval '1 hour',
      CASE WHEN live THEN since + hours * interval '1 hour' END, CASE WHEN NOT live THEN both_at END
    FROM seed_trades, LATERAL (VALUES
      ('payment_window', fate IN ('initiated', 'payment_initiated', 'payment_pending'), true, created, 24),
      ('hand_over', fate = 'payment_confirmed', fate = 'payment_confirmed', confirmed, 24),
      ('seller_finish', fate = 'exchange_completed', fate = 'exchange_completed', both_at, 12),
      ('payout', fate = 'settlement_pending', fate IN ('settlement_pending', 'paid_out'), both_at, 3),
      ('dispute_ruling', fate = 'disputed', fate IN ('disputed', 'ruled_refund', 'ruled_release'), confirmed, 48)
    ) AS line (kind, live, had, since, hours) WHERE n BETWEEN ${from} AND ${to} AND had`;
}

async function fillDisputes(tx: FillContext["sql"], from: number, to: number): Promise<void> {
  await tx`
    WITH opened AS (
      INSERT INTO escrow.disputes (trade_id, opened_by, opened_from, opened_at, outcome, ruled_by, ended_at)
      SELECT id, 'buyer', 'payment_confirmed', confirmed, CASE fate WHEN 'ruled_refund' THEN 'refund' WHEN 'ruled_release' THEN 'release' END,
        CASE WHEN fate <> 'disputed' THEN (SELECT min(id) FROM identity.users WHERE is_admin) END,
        CASE WHEN fate <> 'disputed' THEN both_at END
      FROM seed_trades WHERE n BETWEEN ${from} AND ${to} AND fate IN ('disputed', 'ruled_refund', 'ruled_release')
      RETURNING id, trade_id
    )
    INSERT INTO escrow.dispute_statements (dispute_id, by_role, by_user, body, at)
    SELECT opened.id, 'buyer', buyer_id, 'Нууц үг нь тохирохгүй байна.', confirmed
    FROM opened JOIN seed_trades t ON t.id = opened.trade_id`;
}
