import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "../../tests/support/environment.ts";
import { readOrCreateFile } from "../files/data-directory.ts";

const script = `
  import { encryptionKey, sessionSecret } from "${import.meta.dir}/instance-secrets.ts";
  console.log(sessionSecret() + " " + encryptionKey().toString("hex"));
`;

setDefaultTimeout(60_000);

async function secretsIn(folder: string, environment: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: join(import.meta.dir, "..", ".."),
    env: { ...process.env, ALLOW_SANDBOX: "true", DATA_DIR: folder, ...environment },
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { output: output.trim(), errors };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "midman-secrets-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("six processes that start at once share the same secrets, which persist and only the owner can read", async () => {
  const path = folder();
  const first = await Promise.all(Array.from({ length: 6 }, () => secretsIn(path)));
  expect(new Set(first.map(({ output }) => output)).size).toBe(1);
  expect(first[0]?.output).toMatch(/^[0-9a-f]{64} [0-9a-f]{64}$/);
  expect((await secretsIn(path)).output).toBe(first[0]?.output ?? "");
  expect(readdirSync(path).sort()).toEqual(["encryption-key", "session-secret"]);
  for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
});

test("secrets in the environment take precedence and create no file", async () => {
  const path = folder();
  const given = { SESSION_SECRET: "s".repeat(64), ENCRYPTION_KEY: "ab".repeat(32) };
  expect((await secretsIn(path, given)).output).toBe(`${given.SESSION_SECRET} ${given.ENCRYPTION_KEY}`);
  expect(readdirSync(path)).toEqual([]);
});

test("a damaged secret prevents the start and is not replaced", async () => {
  const path = folder();
  writeFileSync(join(path, "session-secret"), "");
  expect((await secretsIn(path)).errors).toContain("session-secret is damaged");
});

test("a stored value is not overwritten", () => {
  const path = join(folder(), "file");
  expect(readOrCreateFile(path, () => "first")).toBe("first");
  expect(readOrCreateFile(path, () => "second")).toBe("first");
});

test("a file that cannot be written leaves no partial file and no open descriptor", () => {
  const path = folder();
  const tried = `
    import { readdirSync } from "node:fs";
    import { readOrCreateFile } from "${import.meta.dir}/../files/data-directory.ts";
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    const said = [];
    for (let i = 0; i < 20; i++) {
      try { readOrCreateFile(${JSON.stringify(join(path, "kept"))}, () => "x"); } catch (error) { said.push(error.code); }
    }
    console.log(JSON.stringify([said.filter((code) => code === "EFBIG").length, open() - before]));
  `;
  // A process with a file size limit of zero finds every disk full.
  const limited = ["sh", "-c", `trap "" XFSZ; ulimit -f 0; exec "$@"`, "sh"];
  const done = Bun.spawnSync([...limited, process.execPath, "-e", tried], { stderr: "pipe" });
  expect([done.stdout.toString().trim(), readdirSync(path)]).toEqual(["[20,0]", []]);
});
