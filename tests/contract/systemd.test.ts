import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironmentFile } from "../../deploy/systemd/environment-file.ts";
import {
  databaseSettings,
  type Server,
  sharedSecrets,
  startServer,
} from "../support/server/midman-server.ts";

/** The kit for systemd: its units, the file of settings as systemd reads it, and the command `midman`. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
const kit = join(root, "deploy/systemd");
const units = ["midman.service", "midman-backup.service", "midman-backup.timer"];
const unit = (name: string) => readFileSync(join(kit, name), "utf8");
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);

describe("a settings file", () => {
  test.each([
    ["A=one", "one"],
    ["  A = one two  ", "one two"],
    ["A='one  # $HOME `id` \\n'", "one  # $HOME `id` \\n"],
    ['A="one \\"two\\" \\$x \\d"', 'one "two" $x \\d'],
    ["A=one\\\ntwo", "onetwo"],
    ['A="one\ntwo"', "one\ntwo"],
    ["A='one'\"two\"", "onetwo"],
    ["A=$(touch /x); rm", "$(touch /x); rm"],
    ["A=it's", "it's"],
    ["A=one\r\nB=two", "one"],
    ["A=", ""],
    ["A=first\nA=last", "last"],
  ])("%j is read as systemd reads it", (text, value) => {
    expect(readEnvironmentFile(text).A).toBe(value);
  });

  test("comments and empty lines are ignored", () => {
    const text = "# A=1\n; A=2\n\nexport A=3\n1A=4\nnothing\nB=5 # six\n";
    expect(readEnvironmentFile(text)).toEqual({ B: "5 # six" });
  });

  test("the example is read completely, and its defaults are settings", () => {
    const example = readFileSync(join(root, "deploy/example.env"), "utf8");
    const names = [...example.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name);
    expect(Object.keys(readEnvironmentFile(example))).toEqual(names as string[]);
    const schema = readFileSync(join(root, "config.ts"), "utf8");
    const { BUN_RUNTIME_TRANSPILER_CACHE_PATH: _, ...defaults } = readEnvironmentFile(unit("defaults.env"));
    for (const name of Object.keys(defaults)) expect(schema).toMatch(new RegExp(`^ {2}${name}: `, "m"));
  });
});

describe("the units", () => {
  test("run the server itself, with the kit's settings and then the operator's, and with enough time", () => {
    const service = unit("midman.service");
    expect(valuesOf(service, "ExecStart")).toEqual(["/opt/midman/bun app/server.ts"]);
    expect(valuesOf(service, "KillMode")).toEqual(["mixed"]);
    expect(Number(valuesOf(service, "TimeoutStopSec")[0])).toBeGreaterThanOrEqual(40);
    for (const name of ["midman.service", "midman-backup.service"]) {
      expect(valuesOf(unit(name), "EnvironmentFile")).toEqual([
        "/opt/midman/current/deploy/systemd/defaults.env",
        "/etc/midman/midman.env",
      ]);
      expect(valuesOf(unit(name), "User")).toEqual(["midman"]);
    }
    const [backup = ""] = valuesOf(unit("midman-backup.service"), "ExecStart");
    expect(existsSync(join(root, backup.split(" ")[1] ?? ""))).toBe(true);
    expect(valuesOf(unit("midman-backup.service"), "ReadWritePaths")).toEqual([backup.split(" ")[2]]);
  });

  test("restart while the database is down: each start ends within two seconds then", () => {
    const service = unit("midman.service");
    expect(valuesOf(service, "Restart")).toEqual(["on-failure"]);
    // By itself systemd gives up after so many starts, and people would wait for somebody to come.
    expect(valuesOf(service, "StartLimitIntervalSec")).toEqual(["0"]);
    expect(valuesOf(service, "StartLimitBurst")).toEqual([]);
  });

  test.skipIf(Bun.which("systemd-analyze") === null)("pass systemd's own check", async () => {
    const folder = mkdtempSync(join(tmpdir(), "midman-units-"));
    // What is looked for is looked for here: nothing is installed.
    for (const name of units)
      writeFileSync(join(folder, name), unit(name).replaceAll("/opt/midman/bun", process.execPath));
    const child = Bun.spawn(["systemd-analyze", "verify", ...units.map((name) => join(folder, name))], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    rmSync(folder, { recursive: true });
    expect([
      await child.exited,
      said
        .join("")
        .split("\n")
        .filter((line) => line.includes(folder)),
    ]).toEqual([0, []]);
  });
});

describe("midman", () => {
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    server = await startServer();
    folder = mkdtempSync(join(tmpdir(), "midman-command-"));
    const settings = {
      ...databaseSettings(server.databaseUrl),
      DATA_DIR: server.dataDir,
      ENCRYPTION_KEY: sharedSecrets.ENCRYPTION_KEY,
      ALLOW_SANDBOX: "true",
      PUBLIC_URL: server.url,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(join(folder, "midman.env"), `# for this test\n${lines.join("\n")}\n`);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function midman(...words: string[]): Promise<{ status: number; out: string; err: string }> {
    const child = Bun.spawn(
      [process.execPath, join(kit, "command.ts"), join(folder, "midman.env"), ...words],
      {
        cwd: folder,
        // What the caller's shell has leads nowhere.
        env: {
          PATH: process.env.PATH ?? "",
          DATABASE_URL: "postgres://nobody@127.0.0.1:9/none",
          MAIL_FORM: "x",
        },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { status: await child.exited, out, err };
  }

  test("runs a command with the service's settings and none of the caller's; arguments arrive unchanged", async () => {
    const list = await midman("admin", "list");
    expect([list.status, list.out.includes("admin")]).toEqual([0, true]);
    const halt = await midman("admin", "halt", `it's "fraud"; touch ${folder}/made $(touch ${folder}/made)`);
    expect([halt.status, halt.out]).toEqual([0, "All outgoing money is halted.\n"]);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  test("exits like the command, and knows only commands of an installed Midman", async () => {
    expect((await midman("admin", "nothing")).status).toBe(2);
    for (const words of [[], ["up"], ["seed"], ["test"], ["../x"], ["types"]]) {
      const { status, err } = await midman(...words);
      expect([words, status, err.includes("commands: admin, ")]).toEqual([words, 2, true]);
    }
  });
});
