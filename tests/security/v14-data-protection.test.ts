import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { isWritingCall, registeredCalls } from "../support/api/registered-calls.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { noPartition } from "../support/database/partition-filter.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";
import {
  bankInfo,
  buyerContact,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** V14: what is sensitive, where it goes, and where it stays. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "../..");
const source = (path: string) => readFileSync(join(root, path), "utf8");

let server: Server;
let admin: Client;
let deal: ServerTrade;
let settling: ServerTrade;
let payout: number;
let pages: Array<[path: string, page: Reply]>;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [deal, settling] = await Promise.all([openPaidTrade(server), openSettlingTrade(server)]);
  payout = await payoutOf(admin, settling);
  const at = `/api/transactions/${deal.id}`;
  expectStatus(
    await deal.buyer.patch("/api/users/profile", { phoneNumber: "95443322", bankAccount: "5044332211" }),
    200,
  );
  expectStatus(await deal.buyer.post(`${at}/bank-info`, buyerContact), 200);
  expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200);
  pages = await allPages();
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** Every kind of page that is somebody's, as they see it. */
async function allPages(): Promise<Array<[string, Reply]>> {
  const own = [
    ...[paths.chat, paths.history, paths.profile, paths.settings, paths.settingsFactor, paths.settingsDelete],
    ...[
      paths.room(deal.roomId),
      `${paths.room(deal.roomId)}/panel`,
      paths.vault(deal.roomId),
      paths.transaction(deal.id),
    ],
  ];
  const desk = [
    ...[
      paths.admin,
      paths.adminUsers,
      paths.adminUser(deal.buyer.id),
      paths.adminTransactions,
      paths.adminMoney,
    ],
    ...[
      paths.adminTransaction(deal.id),
      paths.adminTranscript(deal.id),
      paths.adminPayouts,
      paths.adminPayout(payout),
    ],
    ...[paths.adminActivityLogs, paths.adminReconciliation, paths.adminEmail, paths.adminSettlements],
  ];
  const shown: Array<[string, Reply]> = [];
  for (const path of own) shown.push([path, expectStatus(await deal.buyer.get(path), 200)]);
  for (const path of desk) shown.push([path, expectStatus(await admin.get(path), 200)]);
  return shown;
}

const levels = () => readSecuritySection("data", "Data");

test("14.1.1 every personal or secret field has a level", async () => {
  for (const level of ["Secret", "Confidential", "Personal", "Public"])
    expect(levels()).toContain(`**${level}**`);
  const columns = await db().execute<{ name: string }>(sql`
    SELECT DISTINCT table_schema || '.' || table_name AS name FROM information_schema.columns
    WHERE table_schema IN ('identity', 'rooms', 'escrow', 'payments', 'mailer', 'audit') AND ${noPartition}
      AND column_name ~ '(^|_)(email|phone|phone_number|bank_account|account_number|account_name|ip|device|display_name|password|secret|token|content|body|recipient|destination|reason|words|info|note|message|endpoint|private_key|key)(_hash)?$'`);
  expect(columns.length).toBeGreaterThan(15);
  for (const { name } of columns) expect([name, levels().includes(`\`${name}\``)]).toEqual([name, true]);
});

test("14.1.2 each level says how it is encrypted, protected, retained, logged and read", () => {
  for (const level of ["Secret", "Confidential", "Personal"]) {
    const row = levels()
      .split("\n")
      .find((line) => line.startsWith(`| **${level}**`));
    expect([
      level,
      row
        ?.split("|")
        .map((cell) => cell.trim())
        .filter(Boolean).length,
    ]).toEqual([level, 6]);
  }
  for (const column of ["encryption", "integrity", "kept", "log", "who reads"])
    expect(levels()).toContain(column);
});

const mine = () => [
  deal.buyer.email,
  deal.buyer.password,
  "95443322",
  "5044332211",
  bankInfo.accountNumber,
  buyerContact.phoneNumber,
];

test("14.2.1 no address that a page links to has a secret, an account, a number or an email; secrets travel by POST", () => {
  const tokens = [deal.buyer, admin].map((who) => /session=([\w-]{43})/.exec(who.cookies())?.[1] ?? "none");
  for (const [path, page] of pages) {
    const addresses = [...page.text.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, to = ""]) =>
      decodeURIComponent(to.replaceAll("%", "%25")),
    );
    expect(addresses.length).toBeGreaterThan(path.endsWith("/panel") ? 0 : 5);
    const links = addresses.filter((to) => !to.startsWith("data:") && !/^(?:mailto|tel):/.test(to));
    const found = links.filter((to) => [...mine(), ...tokens].some((secret) => to.includes(secret)));
    expect([path, found]).toEqual([path, []]);
    for (const [form] of page.text.matchAll(/<form(?![^>]*method="post").*?<\/form>/gs)) {
      expect([
        path,
        /type="password"|name="(?:code|token|email|accountNumber|phoneNumber)"/.test(form),
      ]).toEqual([path, false]);
    }
  }
  // The provider alone calls back to an address with a secret of that one invoice.
  const named = registeredCalls.filter((call) => /:\w*(?:token|password|secret|code|email)/i.test(call.path));
  expect(new Set(named.map(({ path }) => path))).toEqual(new Set(["/api/qpay/callback/:invoiceId/:secret"]));
});

test("14.2.2 nothing personal may be cached between server and browser, nor is it in Redis", async () => {
  const calls = registeredCalls.filter(
    (call) => !isWritingCall(call) && !call.path.startsWith("/sandbox") && call.path !== "/ws",
  );
  for (const call of calls) {
    const at = call.path
      .replace(":id", String(call.path.startsWith("/api/chat") ? deal.roomId : deal.id))
      .replace(/:\w+/g, deal.invoiceId);
    const who = at.startsWith("/api/admin") ? admin : deal.buyer;
    const cache = (await who.get(at)).headers.get("cache-control");
    const open = ["/api/evidence-key", "/api/push/key"].includes(call.path);
    expect([call.name, open || /no-store|private/.test(cache ?? "")]).toEqual([call.name, true]);
  }
  expect(source("db/bus/redis-driver.ts") + source("db/bus/redis-connections.ts")).not.toMatch(
    /\.(?:set|hSet|lPush|rPush|sAdd|zAdd|xAdd|append)\(/,
  );
});

test("14.2.3 no page requests anything from another site, and none learns who reads it", async () => {
  for (const [path, page] of [...pages, ["/", await server.client().get("/")] as const]) {
    const asked = [
      ...page.text.matchAll(/<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="(https?:[^"]*)"/g),
    ];
    const foreign = asked.map(([, to = ""]) => to).filter((to) => new URL(to).origin !== server.url);
    expect([path, foreign]).toEqual([path, []]);
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*connect-src 'self'/);
    expect(page.headers.get("referrer-policy")).toMatch(/same-origin|strict-origin|no-referrer/);
  }
  const packages = Object.keys(JSON.parse(source("package.json")).dependencies).join(" ");
  expect(packages).not.toMatch(/sentry|analytics|segment|gtag|amplitude|datadog|posthog|mixpanel/);
});

test("14.2.4 the levels' promises hold: sealed, hashed, erased by jobs, and shown in part", async () => {
  expectStatus(
    await deal.seller.post(`/api/transactions/${deal.id}/vault`, {
      login: "sealed-login",
      password: "sealed-word",
    }),
    200,
    201,
  );
  const [vault] = await db().execute<{ row: string }>(
    sql`SELECT v::text AS row FROM escrow.vaults v ORDER BY sealed_at DESC LIMIT 1`,
  );
  const hex = Buffer.from("sealed-login").toString("hex");
  expect([vault?.row.includes("sealed-login"), vault?.row.includes(hex)]).toEqual([false, false]);
  const jobs = await db().execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`);
  const erasing = [
    ...["audit.retention", "identity.sweep", "throttle.sweep", "escrow.retention", "rooms.retention"],
    ...["rooms.images.sweep", "mailer.retention", "mailer.pushes-swept"],
  ];
  const names = [...jobs].map(({ name }) => name);
  for (const job of erasing)
    expect([job, names.includes(job), levels().includes(`\`${job}\``)]).toEqual([job, true, true]);
  const [entry] = await db().execute<{ data: string }>(
    sql`SELECT string_agg(data::text, ' ') AS data FROM audit.entries`,
  );
  expect(mine().filter((value) => entry?.data.includes(value))).toEqual([]);
  const due = await db().execute(sql`SELECT state FROM payments.payouts WHERE id = ${payout}`);
  expect([...due]).toEqual([{ state: "due" }]);
  const inPart = `${bankInfo.bankName} ••••${bankInfo.accountNumber.slice(-4)}`;
  for (const path of [paths.adminPayouts, paths.adminPayoutsOf("due")]) {
    const list = expectStatus(await admin.get(path), 200).text;
    expect([path, visibleText(list).includes(inPart)]).toEqual([path, true]);
  }
  const lists = [paths.admin, paths.adminPayouts, paths.adminPayoutsOf("due")];
  for (const path of [...lists, paths.adminTransactions, paths.adminMoney, paths.adminUsers]) {
    const page = expectStatus(await admin.get(path), 200).text;
    expect([path, page.includes(bankInfo.accountNumber)]).toEqual([path, false]);
  }
  // Once one administrator makes the transfer, they alone read the account whole.
  const other = await registerPerson(server, "Second Desk");
  await setRight(other.id, true);
  expectStatus(await postAsShown(admin, `/api/admin/payouts/${payout}/approve`), 200);
  const [theirs, own] = [
    await other.get(paths.adminPayout(payout)),
    await admin.get(paths.adminPayout(payout)),
  ];
  expect(expectStatus(theirs, 200).text).toContain(`••••${bankInfo.accountNumber.slice(-4)}`);
  expect(theirs.text).not.toContain(bankInfo.accountNumber);
  expect(expectStatus(own, 200).text).toContain(bankInfo.accountNumber);
});

test("14.3.1 signing out, deleting the account or a password reset clears the browser's storage, by page and by call", async () => {
  const clears = (reply: Reply) => reply.headers.get("clear-site-data");
  const [one, two, three, four, five] = await Promise.all([1, 2, 3, 4, 5].map(() => registerPerson(server)));
  const people = [one, two, three, four, five] as Person[];
  const [byPage, byCall, leaving, deleted, reset] = people as [Person, Person, Person, Person, Person];
  expect(clears(await postForm(byPage, "/logout"))).toBe('"storage"');
  expect(clears(expectStatus(await byCall.post("/api/auth/logout"), 200))).toBe('"storage"');
  const goodbye = { confirmation: leaving.username, password: leaving.password };
  expect(
    clears(expectStatus(await postForm(leaving, "/settings/delete", { form: "delete", ...goodbye }), 303)),
  ).toBe('"storage"');
  const gone = { confirmation: deleted.username, password: deleted.password };
  expect(clears(expectStatus(await deleted.send("DELETE", "/api/users/me", gone), 200))).toBe('"storage"');
  expectStatus(await reset.post("/api/auth/forgot-password", { email: reset.email }), 200);
  const token = await readMailedToken(server, reset.email, "reset-password");
  const fields = { token, newPassword: "an entirely new word", confirmPassword: "an entirely new word" };
  expect(clears(expectStatus(await postForm(reset, `/reset-password?token=${token}`, fields), 303))).toBe(
    '"storage"',
  );
});

test("14.3.2 no personal page or response is cached by a browser; pictures of a conversation are a deviation", async () => {
  for (const [path, page] of pages)
    expect([path, page.headers.get("cache-control")]).toEqual([path, "no-store"]);
  const imageData =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const sent = expectStatus(
    await deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData }),
    201,
  ).body;
  const picture = expectStatus(await deal.seller.get(String(sent.imageUrl)), 200);
  expect(picture.headers.get("cache-control")).toStartWith("private");
  expect(picture.headers.get("vary")).toContain("Cookie");
  expectStatus(await server.client().get(String(sent.imageUrl)), 401, 404);
  expect(readSecuritySection("asvs", deviationsHeading)).toContain("| 14.3.2 |");
});

test("14.3.3 a browser stores its session, two preferences, and what its person has typed and not sent yet", async () => {
  const storing = /localStorage|sessionStorage|idb-keyval|indexedDB|document\.cookie/;
  const files = [...new Bun.Glob("app/**/*.{ts,tsx}").scanSync({ cwd: root })].filter(
    (path) => !/test/.test(path),
  );
  const found = files.filter((path) => storing.test(source(path)));
  for (const path of found) expect([path, levels().includes(`\`${path}\``)]).toEqual([path, true]);
  const names = new Set<string>();
  const browser = server.client();
  const account = {
    form: "register",
    username: "keeping.one",
    displayName: "Keeping One",
    email: "keeping@example.mn",
    password: "123456",
    avatarInitials: "",
  };
  // Registered already: what was typed goes along to the sign-in, and its password does not.
  const again = {
    ...account,
    username: "keeping.two",
    email: deal.buyer.email,
    password: "a long enough secret",
  };
  for (const reply of [
    await browser.get("/?lang=mn"),
    await postForm(browser, "/", account),
    await postForm(browser, "/", again),
    await postForm(browser, "/", {
      form: "login",
      username: deal.buyer.username,
      password: deal.buyer.password,
    }),
    await postForm(browser, "/preferences", { theme: "dark", back: "/" }),
    await browser.get("/settings"),
  ]) {
    for (const cookie of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
      names.add(name.replace(/-flash-.*/, "-flash"));
      const read = `${value} ${Buffer.from(value, "base64url").toString("latin1")}`;
      for (const secret of [account.password, again.password, deal.buyer.password])
        expect(read).not.toContain(secret);
    }
  }
  for (const name of names) expect([name, levels().includes(`\`${name}\``)]).toEqual([name, true]);
});
