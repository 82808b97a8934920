import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { consentDocuments, consentVersions } from "#forms/identity";

/** One page or file of the desk, or of members, and what it is of; a stranger asks for it without a session. */
export type BackOfficePage = { name: string; path: string; stranger?: true };

const dateDaysAgo = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

const [fromDay, toDay] = [dateDaysAgo(200), dateDaysAgo(190)];

type Query = Record<string, string | number>;
type Sample = Record<"trade" | "user" | "payout" | "disputed" | "entry", number> &
  Record<"code" | "username" | "phone" | "ip", string>;

/** Every list and search of the desk, with each filter and order, and the pages of single things they lead to. */
export async function backOfficePages(sql: Sql): Promise<BackOfficePage[]> {
  const it = await readSample(sql);
  const lists: Record<string, Query[]> = {
    "/admin": [{}, { by: "week" }],
    "/admin/transactions": tradeQueries(it),
    "/admin/users": peopleQueries(it),
    "/admin/activity-logs": logQueries(it),
    "/admin/activity-logs.csv": [{ action: "admin_granted" }, { user: it.username }, { ip: it.ip }],
    "/admin/payouts": [
      {},
      ...["due", "approved", "sent", "done", "unknown", "void"].map((state) => ({ state })),
    ],
    "/admin/money": [{}],
    "/admin/money/settlements": [{}, { before: 1_000_000 }],
    "/admin/money/transfers.csv": [{ day: fromDay }],
    "/admin/reconciliation": [{}, { day: fromDay }],
    [`/admin/users/${it.user}`]: [{}, { tab: "transactions" }],
    [`/admin/transactions/${it.trade}`]: [{}],
    [`/admin/transactions/${it.trade}/chat`]: [{}],
    [`/admin/payouts/${it.payout}`]: [{}],
    [`/admin/disputes/${it.disputed}`]: [{}],
    "/admin/email": [{}],
    "/api/admin/stats": [{}],
    "/api/admin/transactions": [{ limit: 100 }],
    "/api/admin/users": [{ limit: 100 }],
    "/api/admin/activity-logs": [{ limit: 50 }],
  };
  return Object.entries(lists).flatMap(([path, all]) =>
    all.map((query) => {
      const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const name = `${path.replace(/\/\d+/, "/:id")} ${[...asked].map((pair) => pair.join("=")).join(" ")}`;
      return { name: name.trim(), path: asked.size === 0 ? path : `${path}?${asked}` };
    }),
  );
}

function tradeQueries(it: Sample): Query[] {
  return [
    {},
    ...["oldest", "largest", "smallest"].map((sort) => ({ sort })),
    { before: it.trade },
    { sort: "largest", before: it.trade },
    { sort: "smallest", before: it.trade },
    ...[
      "initiated",
      "payment_confirmed",
      "settlement_pending",
      "disputed",
      "completed",
      "cancelled",
      "pending",
    ].map((status) => ({ status })),
    { status: "completed", sort: "largest" },
    { status: "disputed", sort: "smallest" },
    { status: "cancelled", sort: "oldest", before: it.trade },
    ...["waiting", "held", "disputed", "released", "returned", "none"].map((money) => ({ money })),
    { money: "none", sort: "oldest" },
    { money: "returned", sort: "largest" },
    { from: fromDay, to: toDay },
    { from: dateDaysAgo(800), to: dateDaysAgo(700) },
    { from: fromDay, to: toDay, sort: "largest" },
    { from: fromDay, to: toDay, status: "completed" },
    { from: fromDay, to: toDay, money: "returned" },
    { q: it.code },
    { q: it.code.slice(3, 9) },
    { q: "steam" },
    { q: "данс" },
    { q: "дан" },
    { q: "данс", sort: "largest" },
    { q: "logo", status: "cancelled" },
    { q: "nothing like it" },
    { q: "ст" },
    { q: "x" },
    { q: it.username },
    { q: "temuu" },
    { q: it.username, money: "held" },
    { q: "steam", from: fromDay, to: toDay },
  ];
}

function peopleQueries(it: Sample): Query[] {
  return [
    {},
    { sort: "name" },
    { before: it.user },
    { sort: "name", before: it.user },
    { show: "admins" },
    { show: "admins", sort: "name" },
    { show: "deleted" },
    { q: it.username },
    { q: "temuu" },
    { q: "тэм" },
    { q: "тэм", sort: "name" },
    { q: "ном пүр" },
    { q: "midman.example" },
    { q: it.phone },
    { q: String(it.user) },
    { q: "nobody at all" },
  ];
}

function logQueries(it: Sample): Query[] {
  return [
    {},
    { view: "table" },
    { before: it.entry },
    { user: it.username },
    { user: 999_999_999 },
    ...["message_sent", "login", "admin_granted", "logs_exported"].map((action) => ({ action })),
    { ip: it.ip },
    { ip: it.ip.slice(0, 3) },
    { ip: "9.9" },
    { from: fromDay },
    { to: toDay },
    { from: fromDay, to: toDay },
    { to: "2020-01-01" },
    { user: it.username, action: "login" },
    { user: it.username, ip: it.ip.slice(0, 3) },
    { user: it.username, from: fromDay, to: toDay },
    { action: "login", ip: it.ip },
    { action: "admin_granted", ip: it.ip.slice(0, 3) },
    { action: "login", from: fromDay, to: toDay },
    { action: "logs_exported", from: fromDay, to: toDay },
    { ip: it.ip, from: dateDaysAgo(20) },
    { ip: it.ip, to: dateDaysAgo(40) },
  ];
}

/** Things in the midst of a filled database, and somebody busy. */
async function readSample(sql: Sql): Promise<Sample> {
  const [row] = await sql`
    SELECT t.id::int AS trade, t.code, u.id::int AS user, u.username, u.phone_number AS phone,
      (SELECT id::int FROM payments.payouts WHERE reference = t.id) AS payout,
      (SELECT trade_id::int FROM escrow.disputes ORDER BY id DESC LIMIT 1) AS disputed,
      (SELECT (min(id) + max(id))::bigint / 2 FROM audit.entries)::int AS entry,
      (SELECT ip FROM audit.traces WHERE ip <> '127.0.0.1' ORDER BY entry_id DESC LIMIT 1) AS ip
    FROM escrow.trades t JOIN identity.users u ON u.id = t.seller_id
    WHERE t.end_reason = 'paid_out' AND u.deleted_at IS NULL
    ORDER BY abs(t.id - (SELECT (min(id) + max(id)) / 2 FROM escrow.trades)) LIMIT 1`;
  if (row === undefined) throw new Error("the database is not filled");
  return row as unknown as Sample;
}

/** Signs a new administrator in, written straight into the database; answers the cookie. */
export async function administratorsCookie(sql: Sql): Promise<string> {
  const name = `desk${randomBytes(4).toString("hex")}`;
  const [made] = await sql`
    INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, password_hash, is_admin, language,
      created_at, updated_at)
    VALUES (${name}, ${name}, ${`${name}@midman.example`}, 'Даваа', 'Д', '$argon2id$planted', true, 'mn', now(), now())
    RETURNING id`;
  await sql`
    INSERT INTO audit.entries (at, action, subject_kind, subject_id, data) VALUES (now(), 'admin_created', 'user', ${made?.id}, '{}')`;
  for (const document of consentDocuments)
    await sql`
      INSERT INTO identity.consents (user_id, document, version, consented_at)
      VALUES (${made?.id ?? 0}, ${document}, ${consentVersions[document]}, now())`;
  return await cookieOf(sql, Number(made?.id));
}

/** Signs somebody in who is there, written straight into the database; answers the cookie. */
export async function cookieOf(sql: Sql, userId: number): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest("hex");
  await sql`
    INSERT INTO identity.sessions (token_hash, user_id, created_at, authenticated_at, last_seen_at, expires_at, ip, device)
    VALUES (${hash}, ${userId}, now(), now(), now(), now() + interval '8 hours', '127.0.0.1', 'desk')`;
  return `midman-session=${token}`;
}
