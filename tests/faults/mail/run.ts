import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { freshDatabase } from "../../support/database/test-database.ts";
import { expectStatus, makeRoomPair } from "../../support/people/registered-people.ts";
import { seededRandom, shuffleItems } from "../../support/seeded-random.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import { type FaultProxy, startFaultProxy } from "../../support/services/fault-proxy.ts";
import { startMailServer, type TestMailServer } from "../../support/services/mail-server.ts";
import type { Figures } from "../report.ts";

export type Options = {
  seed: number;
  /** How often each way of failing comes. */
  rounds: number;
  /** How long each lasts, in milliseconds. */
  outageMs: number;
  progress?: (words: string) => void;
};

export const full = { rounds: 6, outageMs: 4_000 };

type Run = { server: Server; office: TestMailServer; line: FaultProxy };

/** Every way in which a mail server fails; what each answers puts it right. */
const outages: Record<string, (run: Run, lost: () => void) => () => unknown> = {
  away: ({ line }) => {
    void line.refuse();
    return () => line.mend();
  },
  silent: ({ line }) => spoiled(line, { stalled: true }),
  slow: ({ line }) => spoiled(line, { delayMs: 250 }),
  cutInTheMail: ({ line }) => spoiled(line, { cutAfter: { up: 900 } }),
  greetedWith421: ({ office }) => moody(office, { connect: 421 }),
  recipient450: ({ office }) => moody(office, { recipient: 450 }),
  recipient550: ({ office }) => moody(office, { recipient: 550 }),
  data451: ({ office }) => moody(office, { data: 451 }),
  data554: ({ office }) => moody(office, { data: 554 }),
  // It has the mail, and the line goes before it can say so.
  answerLost: ({ office, line }, lost) => {
    const taken = () => {
      lost();
      line.cut();
    };
    return moody(office, { taken });
  },
};

function spoiled(line: FaultProxy, manner: Parameters<FaultProxy["behave"]>[0]): () => void {
  line.behave(manner);
  return () => line.behave({});
}

function moody(office: TestMailServer, mood: Parameters<TestMailServer["be"]>[0]): () => void {
  office.be(mood);
  return () => office.be({});
}

/**
 * People register and talk while the mail server fails in every way it can. Nothing waits for it; in the end each mail has
 * arrived, and twice only where the server had it and could not say so, under the same Message-ID.
 */
export async function run(options: Options): Promise<Figures> {
  const began = performance.now();
  const counts: Record<string, number> = { people: 0, answersLost: 0, queuedMeanwhile: 0 };
  const failures: string[] = [];
  const [fresh, office] = await Promise.all([freshDatabase(), startMailServer()]);
  const line = await startFaultProxy(office.url);
  connectDatabase(fresh.url);
  const server = await startServer({ databaseUrl: fresh.url, environment: { SMTP_URL: line.url } });
  const next = seededRandom(options.seed);
  try {
    const names = Array.from({ length: options.rounds }, () =>
      shuffleItems(Object.keys(outages), next),
    ).flat();
    for (const name of names) {
      options.progress?.(name);
      counts[name] = (counts[name] ?? 0) + 1;
      const mend = outages[name]?.({ server, office, line }, () => count(counts, "answersLost"));
      await Promise.all([live(server, counts, failures, name), Bun.sleep(options.outageMs)]);
      count(counts, "queuedMeanwhile", await queued());
      await mend?.();
    }
    for (const end = Date.now() + 240_000; (await queued()) > 0 && Date.now() < end; await Bun.sleep(250));
    await prove(office, counts, failures);
    expectStatus(await server.client().get("/readyz"), 200);
  } finally {
    await server.kill();
    await Promise.all([line.close(), office.stop()]);
    await disconnectDatabase();
    await fresh.drop();
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { suite: "mail", seed: options.seed, counts, failures, seconds };
}

function count(counts: Record<string, number>, what: string, by = 1): void {
  counts[what] = (counts[what] ?? 0) + by;
}

/** What people do meanwhile; each of it sends a mail, and none of it may wait for one or fail. */
async function live(
  server: Server,
  counts: Record<string, number>,
  failures: string[],
  name: string,
): Promise<void> {
  try {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const said = { content: "hello", clientId: crypto.randomUUID() };
    expectStatus(await buyer.post(`/api/chat/rooms/${roomId}/messages`, said), 201);
    expectStatus(await seller.post("/api/transactions", { chatRoomId: roomId, amount: 50_000 }), 201);
    count(counts, "people", 2);
  } catch (error) {
    failures.push(`${name}: ${error}`);
  }
}

async function queued(): Promise<number> {
  const [row] = await db().execute<{ count: string }>(
    sql`SELECT count(*) FROM mailer.messages WHERE state = 'queued'`,
  );
  return Number(row?.count);
}

/** Every mail of the outbox is sent and has arrived, at whom it is for; more than once only where its answer was lost. */
async function prove(
  office: TestMailServer,
  counts: Record<string, number>,
  failures: string[],
): Promise<void> {
  const rows = await db().execute<{ message_id: string; state: string; recipient: string; template: string }>(
    sql`SELECT message_id, state, recipient, template FROM mailer.messages`,
  );
  const arrived = new Map<string, string[]>();
  for (const { to, raw } of office.taken) {
    const id = /^Message-ID: (<[^>]+>)/im.exec(raw)?.[1] ?? "none";
    arrived.set(id, [...(arrived.get(id) ?? []), ...to]);
  }
  const again = office.taken.length - arrived.size;
  Object.assign(counts, { mails: rows.length, arrived: arrived.size, arrivedAgain: again });
  for (const { message_id, state, recipient, template } of rows) {
    const to = arrived.get(message_id) ?? [];
    if (state !== "sent") failures.push(`${template} to ${recipient} is ${state}`);
    if (to.length === 0) failures.push(`${template} to ${recipient} never arrived`);
    if (to.some((address) => address !== recipient)) failures.push(`${template} went to ${to}`);
  }
  if (arrived.size !== rows.length) failures.push(`${arrived.size} mails arrived of ${rows.length}`);
  if (again > (counts.answersLost ?? 0))
    failures.push(`${again} mails arrived again, ${counts.answersLost} answers were lost`);
}
