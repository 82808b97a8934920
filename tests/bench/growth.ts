/**
 * bench:growth: what members and strangers open, on a small Midman and on a large one, with the plans of its queries; bench:backoffice does the
 * same for administrators. `--small <url>` and `--large <url>` name databases that are filled already (`bun run seed --large`).
 */
import type { Sql } from "postgres";
import type { largeSizes } from "../../scripts/seed/large/fill-large.ts";
import { type BackOfficePage, cookieOf } from "../support/backoffice/backoffice-pages.ts";
import { rounds, short, sizes, values } from "./backoffice/asked.ts";
import { databaseOf } from "./backoffice/database.ts";
import { deskOf, measure } from "./backoffice/measure.ts";
import { growth, tableText } from "./backoffice/report.ts";
import { atMost } from "./support/process.ts";
import { machine, median, table, verdict, writeSection } from "./support/results.ts";

/** A trade that was paid out, of a seller with as many trades as the middle one has, so that both sizes show as much. */
async function memberOf(sql: Sql): Promise<{ user: number; trade: number; room: number }> {
  const [row] = await sql`
    WITH sellers AS (SELECT seller_id, count(*) AS trades FROM escrow.trades GROUP BY seller_id)
    SELECT t.seller_id::int AS user, t.id::int AS trade, t.room_id::int AS room
    FROM escrow.trades t JOIN sellers s USING (seller_id) JOIN identity.users u ON u.id = t.seller_id
    WHERE t.end_reason = 'paid_out' AND u.deleted_at IS NULL AND t.hidden_at IS NULL
    ORDER BY abs(s.trades - (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY trades) FROM sellers)), t.id DESC LIMIT 1`;
  if (row === undefined) throw new Error("the database is not filled");
  return row as unknown as { user: number; trade: number; room: number };
}

async function pages(sql: Sql): Promise<BackOfficePage[]> {
  const { trade, room } = await memberOf(sql);
  const of = (name: string, path = name) => ({ name, path });
  return [
    { ...of("/"), stranger: true },
    { ...of("/faq"), stranger: true },
    ...["/chat", "/history", "/profile", "/settings", "/api/chat/rooms"].map((path) => of(path)),
    of("/chat/:id", `/chat/${room}`),
    of("/api/chat/rooms/:id/messages", `/api/chat/rooms/${room}/messages`),
    of("/transactions/:id", `/transactions/${trade}`),
  ];
}

const cookie = async (sql: Sql) => cookieOf(sql, (await memberOf(sql)).user);
const look = { cookie, pages };

atMost(short ? 300 : 3_600);
const about = machine();
await using small = await databaseOf(values.small, sizes.small);
await using many = await databaseOf(values.large, sizes.large);
const both = [await deskOf(small.url, look), await deskOf(many.url, look)] as const;
const measured = await measure(both, rounds);
for (const one of both) await one.end();

const grown = measured.map(growth);
const whole = measured.filter(({ large: { plans } }) =>
  plans.some(({ sequential }) => sequential.length > 0),
);
const counted = ({ users, transactions, logs }: typeof largeSizes) =>
  `${transactions.toLocaleString("en-US")} transactions, ${users.toLocaleString("en-US")} users, ${logs.toLocaleString("en-US")} entries of the log`;
const text = [
  `${about} ${rounds} rounds, the two in turn: medians. Each page as a seller of some trades gets it (landing and FAQ: as a stranger), its answer read to the end.`,
  `Small: ${counted(sizes.small)}. Large: ${counted(sizes.large)}.`,
  table(
    ["what", "measured", "target", ""],
    [
      verdict("growth, median of all pages: large ÷ small", median(grown), { atMost: 1.3 }),
      // No target: pages that show more the more there is are among them (named below).
      ["growth, page that grew most", `${Math.max(...grown).toFixed(2)} ×`, "", ""],
      verdict("pages with a sequential scan over a large table", whole.length, { atMost: 0 }, "", 0),
    ],
  ),
  whole.length === 0 ? "" : `Read a large table whole: ${whole.map(({ name }) => `\`${name}\``).join(", ")}.`,
  tableText(measured),
]
  .filter((part) => part !== "")
  .join("\n\n");
if (!short) writeSection("bench:growth", text);
console.log(text);
