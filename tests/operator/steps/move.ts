import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { openClient } from "../../../db/client.ts";
import { startDurablePostgres } from "../../support/database/durable-postgres.ts";
import { relayByPort } from "../../support/database/port-relay.ts";
import { databaseSettings } from "../../support/server/midman-server.ts";
import { type Day, paidTradeOf, runningService, type Step, stopService } from "../day.ts";
import { untilOpen } from "../door.ts";
import { runMidman, runMidmanOrThrow, settingsFile, startService } from "../service.ts";
import { removeSettings, writeSettings } from "../settings.ts";
import { messagesOf, requireFactorOpens, requireTradeIntact, signInAgain } from "../town.ts";

const archive = "/var/backups/midman/move.tar.zst";

/** From the embedded database to a Postgres of one's own, as docs/operations.md has it. */
export const moveToPostgres: Step = {
  name: "move to a Postgres of one's own",
  async run(day, note) {
    await runMidmanOrThrow("backup", archive);
    await stopService(day);
    writeSettings(databaseSettings(await emptyDatabase(day, "midman_moved")));
    const early = await runMidman("restore", archive);
    if (early.status !== 1)
      throw new Error(`a restore beside the embedded database ended with ${early.status}`);
    note(
      `\`midman restore\` refuses to leave the embedded database behind: “${early.err.split("\n").find((line) => line.startsWith("DATABASE_URL"))}”`,
    );
    renameSync("/var/lib/midman/postgres-18", "/var/lib/midman/postgres-18-moved");
    await runMidmanOrThrow("restore", archive);
    day.service = await startService();
    await untilOpen(day.site);
    day.paidTrade = await signInAgain(day, paidTradeOf(day));
    await requireTradeIntact(day.paidTrade);
    await requireFactorOpens(day);
    note("everybody signs in anew; messages, held money and second factor are there");
    await runMidmanOrThrow("admin", "resume", "moved; the books were compared", "--yes");
    note(await refusedInOldFolder());
  },
};

/** A command with the settings of before, which named no database. */
async function refusedInOldFolder(): Promise<string> {
  const now = readFileSync(settingsFile, "utf8");
  try {
    removeSettings("DATABASE_URL", "DATABASE_OWNER_URL");
    const { status, err } = await runMidman("admin", "halt", "by somebody with the settings of before");
    if (status === 0 || !/its data|are elsewhere/.test(err))
      throw new Error(`it ended with ${status}: ${err}`);
    return `a command in the old folder without DATABASE_URL ends with ${status}: “${err.trim().split("\n").at(-1)}”`;
  } finally {
    writeFileSync(settingsFile, now);
  }
}

let address: ((database: string) => string) | undefined;

/** An empty database in the Postgres beside; answers its owner's address. */
export async function emptyDatabase(day: Day, name: string): Promise<string> {
  if (address === undefined) {
    const postgres = await startDurablePostgres();
    const relay = await relayByPort(postgres.url);
    day.ends.push(async () => {
      relay.close();
      await postgres.stop();
    });
    address = (database) => Object.assign(new URL(relay.url), { pathname: `/${database}` }).href;
  }
  const sql = openClient(address("postgres"), { max: 1 });
  const made = `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'`;
  await sql.unsafe(made).finally(() => sql.end());
  return address(name);
}

/** Killed while people write; what was acknowledged is there. */
export const killUnderWrites: Step = {
  name: "kill -9 while people write",
  async run(day, note) {
    const { deal } = paidTradeOf(day);
    const acknowledged: string[] = [];
    let goes = true;
    const writing = Promise.all(
      [deal.buyer, deal.seller].map(async (who, i) => {
        for (let n = 0; goes; n++) {
          const content = `written ${i}-${n}`;
          const body = { content, clientId: crypto.randomUUID() };
          const reply = await who
            .post(`/api/chat/rooms/${deal.roomId}/messages`, body)
            .catch(() => undefined);
          if (reply?.status === 201) acknowledged.push(content);
          else await Bun.sleep(20);
        }
      }),
    );
    await Bun.sleep(1_500);
    await runningService(day).end("SIGKILL");
    goes = false;
    await writing;
    const from = performance.now();
    day.service = await startService();
    await untilOpen(day.site);
    const there = await messagesOf(deal);
    const lost = acknowledged.filter((words) => there.filter((one) => one === words).length !== 1);
    if (lost.length > 0 || acknowledged.length === 0)
      throw new Error(`of ${acknowledged.length} acknowledged messages ${lost.length} are not there once`);
    await requireTradeIntact(paidTradeOf(day));
    note(
      `all ${acknowledged.length} messages that were acknowledged are there once; it serves again after ${((performance.now() - from) / 1000).toFixed(1)} s`,
    );
    note(`${(await runMidmanOrThrow("ledger:verify")).trim().split("\n").at(-1)}`);
  },
};
