import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { mailSettings } from "../../support/server/midman-server.ts";
import { type Day, runningService, type Step, stopService } from "../day.ts";
import { proveTls, untilOpen } from "../door.ts";
import { runOrThrow, versionOf } from "../machine.ts";
import { installFolder, runMidman, runMidmanOrThrow, startRefused, startService } from "../service.ts";
import { readSetting, writeSettings } from "../settings.ts";
import { firstSignIn, tradeAndPay } from "../town.ts";

/** Installs by the kit, twice; starts with nothing filled in, then with all of it. */
export const installByKit: Step = {
  name: "install by the kit",
  async run(day, note) {
    const script = join(day.tree, "deploy/systemd/install.sh");
    await runOrThrow(["sh", script], { cwd: "/" });
    const again = await runOrThrow(["sh", script], { cwd: "/" });
    const kept = again.out
      .split("\n")
      .filter((line) => /: (?:is there|is \d|kept as it is)/.test(line)).length;
    if (kept !== 3) throw new Error(`the second run changed something:\n${again.out}`);
    day.release = join(installFolder, "releases", readdirSync(join(installFolder, "releases"))[0] ?? "");
    note("`install.sh` made user, Bun, release, settings, units and `midman`; a second run kept all of it");
    // What the unit's StateDirectory= makes.
    await runOrThrow(["install", "-d", "-o", "midman", "-g", "midman", "-m", "700", "/var/lib/midman"]);
    const { status, said } = await startRefused();
    note(
      `with the settings as they come the start ends with ${status} and names what is missing: ${namesOf(said)}`,
    );
    fillIn(day);
    day.service = await startService();
    await untilOpen(day.site);
    note(await proveTls(day.door));
    const [, oneTime = ""] = /one-time password (\S+)/.exec(runningService(day).output()) ?? [];
    await firstSignIn(day, oneTime);
    note("the one-time password of the log signs in, must be changed, and a second factor goes on");
    const listed = await runMidmanOrThrow("admin", "list");
    if (!/^admin .*second factor/m.test(listed)) throw new Error(listed);
    const reached = await runMidman("admin", "halt");
    if (reached.status !== 2)
      throw new Error(`a command that was asked for wrongly ended with ${reached.status}`);
    note("`midman admin list` knows them");
    await stopService(day);
  },
};

const namesOf = (said: string) => [...new Set(said.match(/^[A-Z][A-Z0-9_]+(?=:)/gm) ?? [])].join(", ");

/** What the operator fills in beside the secrets that are there. */
function fillIn({ site, bank }: Day): void {
  writeSettings({
    PORT: process.env.DAY_PORT ?? "",
    PUBLIC_URL: site,
    QPAY_BASE_URL: `${bank.url}/sandbox/qpay/v2`,
    QPAY_USERNAME: "sandbox",
    QPAY_PASSWORD: "sandbox",
    QPAY_INVOICE_CODE: "SANDBOX_INVOICE",
    ...mailSettings,
    SMTP_URL: process.env.DAY_SMTP ?? "",
    LOG_LEVEL: "warn",
  });
  if (!/^[0-9a-f]{64}$/.test(readSetting("ENCRYPTION_KEY")))
    throw new Error("install.sh made no ENCRYPTION_KEY");
}

/** Puts the release of the commit before beside the new one, as it was built then. */
export const tradeOnOlderRelease: Step = {
  name: "the release before, with a paid trade",
  async run(day, note) {
    if (day.before === undefined)
      note(
        "LEFT OUT: the history has no commit before (a shallow clone?); the trade is made by the release of today",
      );
    else {
      day.olderRelease = await buildOlder(day);
      note(`commit ${day.before.slice(0, 10)} (Midman ${versionOf(day.olderRelease)}) built as it was`);
    }
    emptyData();
    day.service = await startService(day.olderRelease);
    await untilOpen(day.site);
    const [, oneTime = ""] = /one-time password (\S+)/.exec(runningService(day).output()) ?? [];
    await firstSignIn(day, oneTime);
    day.paidTrade = await tradeAndPay(day);
    note(
      `two people register, talk and trade by TLS; 110,000 ₮ are paid at the provider, whose callback comes by TLS; the money is held (transaction ${day.paidTrade.deal.id}, ${day.paidTrade.messages} messages)`,
    );
  },
};

async function buildOlder({ repository, before = "" }: Day): Promise<string> {
  const release = join(installFolder, "releases", `before-${before.slice(0, 8)}`);
  mkdirSync(release);
  const git = `git -c safe.directory='${repository}' -C '${repository}' archive ${before} | tar -x -C '${release}'`;
  await runOrThrow(["sh", "-c", git]);
  const bun = join(installFolder, "bun");
  const settings = {
    cwd: release,
    env: { PATH: `${installFolder}:/usr/bin:/bin`, HOME: process.env.HOME ?? "/root" },
  };
  await runOrThrow([bun, "install", "--frozen-lockfile"], settings);
  await runOrThrow([bun, "scripts/build.ts"], settings);
  await runOrThrow(["chmod", "-R", "go+rX", release]);
  return release;
}

/** The installation of the morning had nothing in it that anybody needs. */
function emptyData(): void {
  for (const name of readdirSync("/var/lib/midman"))
    rmSync(join("/var/lib/midman", name), { recursive: true, force: true });
  if (existsSync("/var/lib/midman/postgres-18")) throw new Error("the data of the trial stayed");
}
