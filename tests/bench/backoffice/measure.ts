import type { Sql } from "postgres";
import { openClient } from "../../../db/client.ts";
import type { BackOfficePage } from "../../support/backoffice/backoffice-pages.ts";
import {
  explainStatements,
  type Plan,
  tablesFrom,
  takeRecordedStatements,
} from "../../support/database/query-plans.ts";
import { type Midman, startMidman } from "../support/midman.ts";
import { median } from "../support/results.ts";

/** Tables with fewer rows are best read whole. */
const largeFrom = 5_000;

/** Whose pages are looked at: their cookie, and which pages. */
export type Look = { cookie: (sql: Sql) => Promise<string>; pages: (sql: Sql) => Promise<BackOfficePage[]> };

/** A Midman with its pages, and somebody signed in to it. */
export type Desk = {
  pages: BackOfficePage[];
  get(page: BackOfficePage): Promise<number>;
  plans(page: BackOfficePage): Promise<Plan[]>;
  end(): Promise<void>;
};

/** What one page took at each size: milliseconds, and the plans of its queries. */
export type Measured = Record<"small" | "large", { ms: number; plans: Plan[] }> & { name: string };

/** Starts a Midman on a filled database. */
export async function deskOf(databaseUrl: string, look: Look): Promise<Desk> {
  const sql = openClient(databaseUrl, { max: 1 });
  const [cookie, pages, tables] = [
    await look.cookie(sql),
    await look.pages(sql),
    await tablesFrom(sql, largeFrom),
  ];
  const server = await startMidman({
    databaseUrl,
    program: "tests/support/programs/recording-statements-server.ts",
  });
  const folder = server.environment.DATA_DIR ?? "";
  const get = ({ path, stranger }: BackOfficePage) => timed(server, stranger === true ? "" : cookie, path);
  return {
    pages,
    get,
    plans: async (page) => {
      takeRecordedStatements(folder);
      await get(page);
      const plans = await explainStatements(sql, takeRecordedStatements(folder));
      // Of whoever asks, the same for every page.
      const own = plans.filter(({ text }) => !text.includes('"identity"."sessions"'));
      return own.map((plan) => ({
        ...plan,
        sequential: plan.sequential.filter((name) => tables.has(name)),
      }));
    },
    end: async () => {
      await server.end();
      await sql.end();
    },
  };
}

/** Milliseconds until the answer was read to its end. */
async function timed({ url }: Midman, cookie: string, path: string): Promise<number> {
  const from = performance.now();
  const reply = await fetch(`${url}${path}`, {
    headers: { cookie, "accept-language": "mn", "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
  return performance.now() - from;
}

/** Each page of both, in turn; the first round only warms up. */
export async function measure([small, large]: readonly [Desk, Desk], rounds: number): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [at, page] of large.pages.entries()) {
    const pages = { small: small.pages[at] ?? page, large: page };
    const took: Record<"small" | "large", number[]> = { small: [], large: [] };
    for (let round = -1; round < rounds; round++) {
      for (const [size, desk] of [
        ["small", small],
        ["large", large],
      ] as const) {
        const ms = await desk.get(pages[size]);
        if (round >= 0) took[size].push(ms);
      }
    }
    measured.push({
      name: page.name,
      small: { ms: median(took.small), plans: await small.plans(pages.small) },
      large: { ms: median(took.large), plans: await large.plans(pages.large) },
    });
  }
  return measured;
}
