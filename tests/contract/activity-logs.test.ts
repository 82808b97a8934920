import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatLogMoment } from "#format";
import { type Language, translateText } from "#locales";
import { recordAuditEntry } from "#modules/audit";
import { setAdmin } from "#modules/identity";
import { paths } from "../../app/paths.ts";
import { connectDatabase, disconnectDatabase, runInTransaction } from "../../db/client.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** The log's page, file and calls: for administrators alone. */

let server: Server;
let admin: Client;
let member: Person;
const page = paths.adminActivityLogs;
const file = paths.adminActivityLogsFile;
const at = new Date("2026-03-01T10:00:00Z");
const device = "=Evil Browser, of more than thirty characters";

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  member = await registerPerson(server, "Zorig Reader");
  await runInTransaction((tx) =>
    recordAuditEntry(
      tx,
      Array.from({ length: 30 }, (_, i) => ({
        by: { userId: member.id, ip: "203.0.113.77", device },
        action: "websocket_connect" as const,
        at: new Date(at.getTime() + i * 1000),
        roomId: 41,
        data: { i },
      })),
    ),
  );
  await runInTransaction((tx) => recordAuditEntry(tx, { by: { userId: 987_654 }, action: "logout", at }));
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const calls = () => ["/api/admin/activity-logs", `/api/admin/users/${member.id}/activity-logs`];

test("visitors, members and former administrators are refused, and see none of it", async () => {
  const former = await registerPerson(server, "Former One");
  await makeAdmin(former.id, true);
  const again = server.client();
  expectStatus(
    await again.post("/api/admin/login", { username: former.username, password: former.password }),
    200,
  );
  await makeAdmin(former.id, false);
  for (const [who, status] of [
    [server.client(), 401],
    [member, 403],
    [again, 401],
  ] as const) {
    for (const call of calls()) {
      const reply = expectStatus(await who.get(call), status);
      expect(reply.text).not.toContain("203.0.113.77");
    }
    for (const path of [page, file, `${page}?view=table`]) {
      const reply = expectStatus(await who.get(path), 303);
      expect(reply.headers.get("location")).toBe(`${paths.adminLogin}?next=${encodeURIComponent(path)}`);
    }
    expectStatus(await postForm(who, page, { form: "verify" }), 303);
  }
});

/** The word of the administrator the server began with. */
async function makeAdmin(userId: number, isAdmin: boolean): Promise<void> {
  const origin = { ip: "127.0.0.1", device: "a test", language: "en", requestId: "r" } as const;
  const actor = {
    ...origin,
    kind: "user",
    userId: 1,
    sessionId: 0,
    username: "admin",
    displayName: "admin",
    email: "admin@example.mn",
    avatarInitials: "A",
    isAdmin: true,
    authenticatedAt: new Date(),
    mustChangePassword: false,
    mustSetUpFactor: false,
    mustChooseName: false,
    mustAgree: false,
    mustUsePasskey: false,
    restriction: null,
  } as const;
  expect(await setAdmin(actor, userId, isAdmin)).toEqual({ ok: true });
}

test("the call returns the documented form, filters, and names the next page", async () => {
  const query = new URLSearchParams({
    userId: String(member.id),
    ipAddress: "203.0.113.",
    action: "websocket_connect",
    fromDate: at.toISOString(),
    toDate: new Date(at.getTime() + 20_000).toISOString(),
    limit: "20",
  });
  const first = expectStatus(await admin.get(`/api/admin/activity-logs?${query}`), 200);
  expect(first.list).toHaveLength(20);
  expect(first.list[0]).toEqual({
    id: expect.any(Number),
    userId: member.id,
    user: { username: member.username, displayName: "Zorig Reader" },
    chatRoomId: 41,
    action: "websocket_connect",
    ipAddress: "203.0.113.77",
    deviceFingerprint: device,
    createdAt: new Date(at.getTime() + 20_000).toISOString(),
    additionalData: { i: 20 },
  } as never);
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = expectStatus(await admin.get(next), 200);
  expect(second.list.map(({ additionalData }) => additionalData)).toEqual([{ i: 0 }]);
  expect(second.headers.get("link")).toBeNull();

  const own = expectStatus(await admin.get(`/api/admin/users/${member.id}/activity-logs?limit=3`), 200);
  expect(own.list.map(({ userId }) => userId)).toEqual([member.id, member.id, member.id]);
  expect(own.headers.get("link")).toContain(`/api/admin/users/${member.id}/activity-logs?limit=3&before=`);
  expectStatus(await admin.get("/api/admin/users/987654/activity-logs"), 404);
  for (const odd of ["yesterday", "0000-01-01", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-10:00"]) {
    expectStatus(await admin.get(`/api/admin/activity-logs?fromDate=${odd}`), 422);
  }
  expectStatus(await admin.get(`${page}?from=0000-01-01&to=0000-01-01`), 200);
});

test("the page lists what the address asks for, and links to older entries with the same filters", async () => {
  const asked = `user=${member.username}&action=websocket_connect&from=2026-03-01&to=2026-03-01`;
  const first = expectStatus(await admin.get(`${page}?${asked}`), 200);
  const said = visibleText(first.text);
  expect(said).toContain("25 of 30 log entries shown");
  expect(said).toContain(`${member.id} (Zorig Reader)`);
  expect(said).toContain("2026-03-01 18:00:29");
  expect(said).toContain('{"i":29}');
  expect(said).toContain(device.slice(0, 30));
  expect(said).not.toContain(device.slice(0, 31));
  const older = /href="([^"]*before=\d+)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(older).toContain(asked);
  const second = visibleText(expectStatus(await admin.get(older), 200).text);
  expect(second).toContain("2026-03-01 18:00:04");
  expect(second).not.toContain("2026-03-01 18:00:05");

  const table = visibleText(expectStatus(await admin.get(`${page}?view=table&${asked}`), 200).text);
  expect(table).toContain(translateText("en", "admin.logs.userAndName"));
  expect(table).toContain(`${member.id} Zorig Reader`);
});

test("an unknown id is an unknown user, a name of several offers them, and an empty result says so", async () => {
  const stranger = visibleText(expectStatus(await admin.get(`${page}?user=987654`), 200).text);
  expect(stranger).toContain("987654 (Unknown user)");
  await registerPerson(server, "Zorig Writer");
  const several = expectStatus(await admin.get(`${page}?user=zorig&action=login`), 200);
  expect(visibleText(several.text)).toContain("Zorig Writer");
  expect(several.text).toContain(`?user=${member.id}&amp;action=login`);
  const empty = "No activity logs found matching the filter criteria.";
  for (const query of ["user=nobody.at.all", "ip=198.51.100.200", "action=no_such", "to=2020-01-01"]) {
    expect(visibleText(expectStatus(await admin.get(`${page}?${query}`), 200).text)).toContain(empty);
  }
});

test("a file has every entry, harmless and readable, and its export is logged", async () => {
  const reply = expectStatus(
    await admin.get(`${file}?user=${member.id}&action=websocket_connect&before=1`),
    200,
  );
  expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(reply.headers.get("content-disposition")).toMatch(
    /^attachment; filename="activity_logs_\d{4}-\d\d-\d\d\.csv"$/,
  );
  const bytes = await fetch(`${server.url}${file}?user=${member.id}&action=websocket_connect`, {
    headers: { Cookie: admin.cookies(), "Accept-Language": "en" },
  }).then((one) => one.bytes());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head, first, ...rest] = new TextDecoder().decode(bytes).split("\r\n");
  expect(head).toBe("ID,User ID & Name,Chat Room ID,Action,IP Address,Device,Time,Additional Data");
  expect(first).toMatch(
    new RegExp(
      `^\\d+,${member.id} Zorig Reader,41,Connected,203\\.0\\.113\\.77,"'=Evil Browser, of more than th",2026-03-01 18:00:29,"\\{""i"":29\\}"$`,
    ),
  );
  expect(rest).toHaveLength(30);
  const exports = expectStatus(await admin.get("/api/admin/activity-logs?action=logs_exported"), 200).list;
  expect(exports.map(({ additionalData }) => additionalData)).toEqual([
    { action: "websocket_connect", userId: member.id, byAddress: false },
    { action: "websocket_connect", userId: member.id, byAddress: false },
  ]);
});

test("an empty export says so; neither a prefetch nor another site's link exports", async () => {
  const logged = async () =>
    expectStatus(await admin.get("/api/admin/activity-logs?action=logs_exported"), 200).list.length;
  const before = await logged();
  for (const query of ["?ip=198.51.100.200", "?user=nobody.at.all"]) {
    const answer = await admin.get(`${file}${query}`);
    expect(await readToastAfter(admin, answer)).toEqual([`${page}${query}`, "There is no data to export"]);
  }
  expectStatus(await admin.send("GET", file, undefined, { "Sec-Purpose": "prefetch" }), 503);
  const foreign = expectStatus(
    await admin.send("GET", file, undefined, { "Sec-Fetch-Site": "cross-site" }),
    303,
  );
  expect(foreign.headers.get("location")).toBe(page);
  expect(await logged()).toBe(before);
});

test("the chain's head is on the page, and a verification requested there shows its result", async () => {
  const until = Date.now() + 20_000;
  const head = /bun run audit:verify --head \d+:[0-9a-f]{64}/;
  let before = "";
  while (!head.test(before)) {
    before = expectStatus(await admin.get(page), 200).text;
    if (Date.now() > until) throw new Error("no block was sealed");
    await Bun.sleep(100);
  }
  expect(visibleText(before)).toContain(translateText("en", "admin.logs.unverified"));
  const answer = await postForm(admin, `${page}?view=table`, { form: "verify" });
  expect(await readToastAfter(admin, answer)).toEqual([
    `${page}?view=table`,
    translateText("en", "admin.logs.verifying"),
  ]);
  while (!visibleText(expectStatus(await admin.get(page), 200).text).includes("Chain verified")) {
    if (Date.now() > until) throw new Error("the chain was not verified");
    await Bun.sleep(200);
  }
  const asked = expectStatus(await admin.get("/api/admin/activity-logs?action=logs_check_asked"), 200).list;
  expect(asked).toHaveLength(1);
  expectStatus(await postForm(admin, page, { form: "other" }), 404);
}, 40_000);

test("the page shows the state of the backups, in both languages, and warns if one is too old", async () => {
  const seen = async (language: Language) => {
    const { text: html } = await admin.send("GET", page, undefined, { "Accept-Language": language });
    return visibleText(html);
  };
  const warnings = (language: Language) => [
    translateText(language, "admin.logs.backup.late", { hours: 26 }),
    translateText(language, "admin.logs.backup.drillLate", { days: 8 }),
  ];
  for (const language of ["en", "mn"] as const) {
    const html = await seen(language);
    for (const warning of warnings(language)) expect(html).toContain(warning);
    expect(html).toContain(translateText(language, "admin.logs.backup.none"));
  }
  const by = { userId: null };
  const taken = new Date(Date.now() - 25 * 3_600_000);
  await runInTransaction((tx) =>
    recordAuditEntry(tx, [
      { by, action: "backup_made", at: new Date(), data: { takenAt: taken.toISOString() } },
      { by, action: "backup_drilled", at: new Date(Date.now() - 9 * 86_400_000), data: { seconds: 12 } },
    ]),
  );
  const html = await seen("en");
  const [late = "", drillLate = ""] = warnings("en");
  expect(html).not.toContain(late);
  expect(html).toContain(drillLate);
  expect(html).toContain(translateText("en", "admin.logs.backup.made", { at: formatLogMoment(taken) }));
  expect(html).toContain("It took 12 s and was complete");
});
