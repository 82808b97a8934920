import { databaseSettings } from "../../support/server/midman-server.ts";
import { paidTradeOf, type Step, stopService } from "../day.ts";
import { untilOpen } from "../door.ts";
import { runMidman, runMidmanOrThrow, startService } from "../service.ts";
import { writeSettings } from "../settings.ts";
import {
  deleteAccount,
  registerNewcomer,
  requireFactorOpens,
  requireTradeIntact,
  signInAgain,
} from "../town.ts";
import { emptyDatabase } from "./move.ts";

const nightly = "/var/backups/midman";

/** The night's backup, the drill, the loss of the database, and the restore. */
export const restoreBackup: Step = {
  name: "backup, drill, restore",
  async run(day, note) {
    const going = await registerNewcomer(day);
    const made = await runMidmanOrThrow("backup", nightly);
    const path = /^(\/var\/backups\/midman\/midman-\S+\.tar\.zst): /m.exec(made)?.[1];
    if (path === undefined) throw new Error(made);
    await deleteAccount(going);
    const drilled = await runMidmanOrThrow("backup:drill", path);
    note(`\`midman backup:drill\`: “${drilled.trim().split("\n").at(-1)}”`);
    await stopService(day);
    writeSettings(databaseSettings(await emptyDatabase(day, "midman_again")));
    const restored = await runMidmanOrThrow("restore", path);
    note(
      `the database is lost; \`midman restore\` into an empty one: “${line(restored, /^Ledger/)} ${line(restored, /^Log/)}”`,
    );
    const again = line(restored, /^Erasures: /);
    if (!again.startsWith("Erasures: 1 people")) throw new Error(`of one erasure since it said: ${again}`);
    note(`who was erased after the backup is erased again: “${again}”`);
    day.service = await startService();
    await untilOpen(day.site);
    day.paidTrade = await signInAgain(day, paidTradeOf(day));
    await requireTradeIntact(day.paidTrade);
    await requireFactorOpens(day);
    const listed = await runMidmanOrThrow("admin", "list");
    if (!/Outgoing money is halted/.test(listed)) throw new Error("money was not halted by the restore");
    await runMidmanOrThrow("admin", "resume", "compared with the bank's statement", "--yes");
    note(
      "everybody signs in anew; messages, held money and second factor are there; money was halted until `midman admin resume`",
    );
    const proved = [await runMidman("ledger:verify"), await runMidman("audit:verify")].map(
      ({ status }) => status,
    );
    if (proved.some((status) => status !== 0))
      throw new Error(`the proofs ended with ${proved.join(" and ")}`);
    note("`midman ledger:verify` and `midman audit:verify` end with 0");
  },
};

const line = (text: string, pattern: RegExp) => text.split("\n").find((one) => pattern.test(one)) ?? "";
