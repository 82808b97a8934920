import { join } from "node:path";
import { LeftOut, paidTradeOf, runningService, type Step, stopService } from "../day.ts";
import { untilOpen } from "../door.ts";
import { runOrThrow } from "../machine.ts";
import {
  installFolder,
  runMidman,
  runMidmanOrThrow,
  startRefused,
  startService,
  unknownSettingsOf,
} from "../service.ts";
import { readSetting, writeSettings } from "../settings.ts";
import { agreeAgain, postMessage, requireFactorOpens, requireTradeIntact } from "../town.ts";

/** Backs up by the release before, ends it, and starts the new one on its data. */
export const upgradeInPlace: Step = {
  name: "upgrade in place",
  async run(day, note) {
    const kept = paidTradeOf(day);
    if (day.olderRelease === undefined) {
      note("LEFT OUT: there is no release before; the same one is started again");
    } else {
      const env = `set -a; . /etc/midman/midman.env; set +a; unset ${["MIDMAN_VERSION", ...unknownSettingsOf(day.olderRelease)].join(" ")}; export DATA_DIR=/var/lib/midman NODE_ENV=production; cd ${day.olderRelease}`;
      const backup = `${env} && exec ${installFolder}/bun scripts/backup.ts /var/backups/midman/before.tar.zst`;
      await runOrThrow(
        ["setpriv", "--reuid=midman", "--regid=midman", "--init-groups", "--", "sh", "-c", backup],
        {
          env: { PATH: "/usr/bin:/bin", HOME: "/var/lib/midman" },
        },
      );
      note("the release before made a backup first");
    }
    await stopService(day);
    const from = performance.now();
    day.service = await startService();
    await untilOpen(day.site);
    note(`closed for ${((performance.now() - from) / 1000).toFixed(1)} s; whoever was signed in still is`);
    await agreeAgain(kept);
    await requireTradeIntact(kept);
    await postMessage(kept.deal, "after the upgrade");
    kept.said.push("after the upgrade");
    note("messages and the held money are as they were, and the room goes on");
    const books = await runMidmanOrThrow("ledger:verify");
    const log = await runMidmanOrThrow("audit:verify");
    note(`\`midman ledger:verify\`: ${lastLine(books)} \`midman audit:verify\`: ${lastLine(log)}`);
    await requireFactorOpens(day);
    note("the administrator's second factor, sealed by the release before, opens");
  },
};

const lastLine = (words: string) => words.trim().split("\n").at(-1) ?? "";

/** Another key in the settings, then the right one again. */
export const wrongKey: Step = {
  name: "a wrong ENCRYPTION_KEY",
  async run(day, note) {
    const right = readSetting("ENCRYPTION_KEY");
    await stopService(day);
    writeSettings({ ENCRYPTION_KEY: "0123456789abcdef".repeat(4) });
    try {
      const { status, said } = await startRefused();
      if (!/ENCRYPTION_KEY: it is key \w{8}, and this database is sealed by key \w{8}/.test(said))
        throw new Error(said);
      note(`the start ends with ${status}: “${said.split("\n").at(-1)}”`);
      const backup = await runMidman("backup", "/var/backups/midman/wrong.tar.zst");
      if (backup.status !== 1) throw new Error(`a backup by the wrong key ended with ${backup.status}`);
      note(`\`midman backup\` ends with 1: “${backup.err.trim().split("\n").at(-1)}”`);
    } finally {
      writeSettings({ ENCRYPTION_KEY: right });
    }
    day.service = await startService();
    await untilOpen(day.site);
    await requireFactorOpens(day);
    await requireTradeIntact(paidTradeOf(day));
    note("with the right key it starts, and what is sealed opens (second factor)");
  },
};

/** Back to the release before, on data that the new one has migrated. */
export const downgradeRelease: Step = {
  name: "downgrade to the release before",
  async run(day, note) {
    if (day.olderRelease === undefined)
      throw new LeftOut("left out: the history has no commit before (a shallow clone?)");
    const kept = paidTradeOf(day);
    await stopService(day);
    const use = await runOrThrow(["sh", join(day.tree, "deploy/systemd/install.sh")], { cwd: "/" });
    if (!/releases\/.*: is there/.test(use.out)) throw new Error(use.out);
    // No release so far refuses a newer schema, so a start that fails is a crash and fails the step.
    day.service = await startService(day.olderRelease);
    await untilOpen(day.site);
    await requireTradeIntact(kept);
    await postMessage(kept.deal, "by the release before");
    kept.said.push("by the release before");
    note(
      `survived: the release before serves the newer schema (it says: “${newerLine(runningService(day).output())}”); messages and money are whole, and it takes new ones`,
    );
    await stopService(day);
    day.service = await startService();
    await untilOpen(day.site);
    await requireTradeIntact(kept);
    note(
      `up again: ${lastLine(await runMidmanOrThrow("ledger:verify"))} ${lastLine(await runMidmanOrThrow("audit:verify"))}`,
    );
  },
};

/** The line with which a release says that the schema is newer than its own; throws if it did not say so. */
function newerLine(output: string): string {
  const line = output.split("\n").find((one) => one.includes("was migrated by a newer version"));
  if (line === undefined)
    throw new Error(`the release before did not say that the schema is newer:\n${output}`);
  return line.trim();
}
