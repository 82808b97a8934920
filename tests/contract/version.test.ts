import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommit } from "../../app/server/files/release-version.ts";
import { createMaintenanceListener } from "../../app/server/listener/maintenance.ts";
import { version } from "../../package.json";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** What says which Midman runs: a call, a metric, and the commit that its build was told. */

setDefaultTimeout(60_000);

let server: Server;
beforeAll(async () => {
  server = await startServer();
}, 120_000);
afterAll(async () => {
  await server?.stop();
});

test("/version shows the version of package.json, in maintenance too", async () => {
  const file = join(server.dataDir, "maintenance");
  for (const isClosed of [false, true]) {
    if (isClosed) writeFileSync(file, "");
    expect((await fetch(`${server.url}/readyz`)).status).toBe(isClosed ? 503 : 200);
    const { text } = expectStatus(await server.client().get("/metrics"), 200);
    expect(text).toContain(`\nmidman_ready ${isClosed ? 0 : 1}\n`);
    const { body } = expectStatus(await server.client().get("/version"), 200);
    expect(body.version).toBe(version);
    expect(Object.keys(body).filter((name) => !["version", "commit"].includes(name))).toEqual([]);
  }
  rmSync(file);
  const { body: open } = expectStatus(await server.client().get("/version"), 200);
  const closed = await (await createMaintenanceListener()).handle(new Request("http://localhost/version"));
  expect((await closed.json()) as object).toEqual(open);
});

test("midman_build_info is 1, with the version as its label", async () => {
  const { text } = expectStatus(await server.client().get("/metrics"), 200);
  expect(text).toContain(`midman_build_info{version="${version}",commit="`);
  expect(/^midman_build_info\{.*\} (\S+)$/m.exec(text)?.[1]).toBe("1");
});

test("the commit is what the build was given, and nothing else counts as one", () => {
  const folder = mkdtempSync(join(tmpdir(), "midman-version-"));
  expect(readCommit(folder)).toEqual({});
  for (const [text, found] of [
    ["7f5fa75c0a\n", { commit: "7f5fa75c0a" }],
    ["", {}],
    ["main\n", {}],
    ["7f5fa75c0a dirty\n", {}],
  ] as const) {
    writeFileSync(join(folder, "commit"), text);
    expect(readCommit(folder)).toEqual(found);
  }
  rmSync(folder, { recursive: true });
});
