import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { findSourcesWith, productSources, runtimeImports } from "../support/sources/product-sources.ts";
import { requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";

/** Words of strangers at every place where they could be taken for more than words. ASVS V1.1 and V1.2. */

let server: SharedServer;
let deal: ServerTrade;
let admin: Client;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  [deal, admin] = await Promise.all([requestPayment(server), signInAdministrator(server)]);
}, 240_000);

afterAll(() => disconnectDatabase());

const say = (content: string, by: Person = deal.buyer) =>
  by.post(`/api/chat/rooms/${deal.roomId}/messages`, { content });
const heard = async () =>
  expectStatus(await deal.seller.get(`/api/chat/rooms/${deal.roomId}/messages?limit=200`), 200).list.map(
    ({ content }) => content,
  );

/** What an HTML page holds where `selector` matches: an attribute of each, "" where it has none. */
async function attributes(html: string, selector: string, name: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element: (one) => void found.push(one.getAttribute(name) ?? ""),
  });
  await rewriter.transform(new Response(html)).text();
  return found;
}

describe("decoding and encoding", () => {
  test("1.1.1 decoded once, before any check: what is encoded twice stays encoded", async () => {
    for (const words of [
      "%3Cscript%3E",
      "&lt;b&gt;",
      "\\u003cb\\u003e",
      "%2527",
      '{"content":"{\\"content\\":\\"deep\\"}"}',
    ]) {
      expectStatus(await say(words), 201);
    }
    const texts = await heard();
    // A message that is JSON shows its `content`, and what stands in that is text, not read again.
    expect(texts.slice(-5)).toEqual([
      "%3Cscript%3E",
      "&lt;b&gt;",
      "\\u003cb\\u003e",
      "%2527",
      '{"content":"deep"}',
    ]);
    for (const path of ["/%2561dmin", "/chat/%2531", "/%252e%252e/config.ts"]) {
      expect([path, (await deal.buyer.get(path)).status]).toEqual([path, 404]);
    }
    // A way back that is encoded twice is no path of ours, whether it would lead elsewhere or not.
    for (const way of ["%2F%2Fevil.example", "%2Fsettings"]) {
      const { username, password } = deal.buyer;
      const next = await server
        .client()
        .send(
          "POST",
          `/?next=${encodeURIComponent(way)}`,
          new URLSearchParams({ form: "login", username, password }).toString(),
          { "Content-Type": "application/x-www-form-urlencoded" },
        );
      expect([way, next.status, next.headers.get("location")]).toEqual([way, 303, "/chat"]);
    }
  });

  test("1.1.2 escaped last, where it is used: stored as typed, as JSON in a call, as HTML in a page", async () => {
    const name = `Tom & "Jerry" O'Neil`;
    const person = await registerPerson(server, name);
    const [row] = await db().execute<{ name: string }>(
      sql`SELECT display_name AS name FROM identity.users WHERE id = ${person.id}`,
    );
    expect(row?.name).toBe(name);
    expect(expectStatus(await person.get("/api/auth/user"), 200).body.displayName).toBe(name);
    const page = expectStatus(await person.get("/profile"), 200).text;
    expect(page).toContain("Tom &amp; &quot;Jerry&quot; O&#x27;Neil");
    expect(page).not.toContain(name);
  });

  test("1.2.1 escaped for its context: in text, in an attribute, in a header", async () => {
    const breaks = `"><img src=x onerror=alert(1)>'"`;
    const { seller, buyer, roomId } = await makeRoomPair(server);
    expectStatus(await seller.patch("/api/users/profile", { bankAccount: breaks }), 200);
    const room = expectStatus(
      await seller.post("/api/chat/rooms", { name: `Room ${breaks}`.slice(0, 80) }),
      201,
    ).body;
    expectStatus(await buyer.post(`/api/chat/rooms/${roomId}/messages`, { content: breaks }), 201);
    for (const path of ["/profile", "/chat", `/chat/${room.id}`, `/chat/${roomId}`]) {
      const { text } = expectStatus(await seller.get(path), 200);
      const strange = (await attributes(text, "[onerror], img[src='x']", "src")).length;
      expect([path, strange]).toEqual([path, 0]);
    }
    const profile = expectStatus(await seller.get("/profile"), 200).text;
    expect(await attributes(profile, 'input[name="bankAccount"]', "value")).toEqual([
      "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#x27;&quot;",
    ]);
    // What stands in an address comes back in Location, where a line's end would begin another header.
    const led = await server.client().get(`/chat?q=${encodeURIComponent("x\r\nSet-Cookie: evil=1")}`);
    expect([led.status, led.headers.getSetCookie().some((line) => line.startsWith("evil"))]).toEqual([
      303,
      false,
    ]);
    expect(led.headers.get("location")).not.toMatch(/[\r\n]/);
  });

  test("1.2.2 addresses built by encoding, harmless schemes only: strangers' links lead to Midman's warning page", async () => {
    const words = [
      ...[
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,<b>",
        "vbscript:x",
        "file:///etc/passwd",
      ],
      "https://evil.example/?a=1&b=%22%3E<b>",
    ];
    for (const content of words) expectStatus(await say(content), 201);
    const { text } = expectStatus(await deal.seller.get(`/chat/${deal.roomId}`), 200);
    const links = await attributes(text, "a[href]", "href");
    expect(links.filter((href) => /^\s*(javascript|data|vbscript|file):/i.test(href))).toEqual([]);
    const outside = links.filter((href) => href.startsWith("/away?"));
    expect(outside).toHaveLength(1);
    const led = new URL(outside[0]?.replaceAll("&amp;", "&") ?? "", server.url).searchParams;
    expect([...led.keys()]).toEqual(["room", "to"]);
    expect(led.get("to")).toStartWith("https://evil.example/?a=1&b=");
    for (const to of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "https://a@evil.example\r\nX:1",
    ]) {
      const page = await deal.seller.get(`/away?to=${encodeURIComponent(to)}`);
      const hrefs = await attributes(page.text, "a[href]", "href");
      expect(hrefs.filter((href) => /^\s*(javascript|data):/i.test(href))).toEqual([]);
    }
  });

  test("1.2.3 JSON and scripts built by an encoder: no text ends a script's data or its quotes", async () => {
    const words = `</script><script>alert(1)</script> "}],"x":1, \u2028 \u2029 <!-- ]]> ' \\`;
    expectStatus(await say(words), 201);
    const { text } = expectStatus(await deal.seller.get(`/chat/${deal.roomId}`), 200);
    const inline = (await attributes(text, "script", "src")).filter((src) => !src.startsWith("/assets/"));
    expect(inline).toEqual([]);
    const [props = ""] = await attributes(text, "[data-island]", "data-props");
    const plain = props
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(JSON.stringify(JSON.parse(plain))).toContain(JSON.stringify(words).slice(1, -1));
    const call = expectStatus(await deal.seller.get(`/api/chat/rooms/${deal.roomId}/messages`), 200);
    expect(call.list.at(-1)?.content).toBe(words);
  });
});

describe("commands in other languages", () => {
  const injections = [
    `' OR '1'='1`,
    `'; DROP TABLE identity.users; --`,
    `") OR 1=1 --`,
    `1; SELECT pg_sleep(3)`,
    `' UNION SELECT password_hash FROM identity.users --`,
    `\\'; SELECT 1; --`,
    `$1`,
    `%' OR username LIKE '%`,
    `_`,
    `%`,
  ];

  test("1.2.4 queries are parameterised: no search, filter or field becomes SQL", async () => {
    const people = async () => (await db().execute(sql`SELECT count(*) FROM identity.users`))[0]?.count;
    const before = await people();
    const places = [
      ...["/chat?q=", "/admin/transactions?search=", "/admin/users?search=", "/admin/activity-logs?user="],
      ...["/admin/activity-logs?action=", "/admin/activity-logs?ip=", "/api/admin/activity-logs?action="],
      ...["/api/admin/transactions?search=", "/api/admin/users?search=", "/sandbox/mail.json?to="],
    ];
    const from = performance.now();
    for (const words of injections) {
      const replies = await Promise.all(places.map((path) => admin.get(path + encodeURIComponent(words))));
      for (const [at, reply] of replies.entries()) {
        expect([places[at], words, reply.status < 500]).toEqual([places[at], words, true]);
        expect(reply.text).not.toContain("$argon2id$");
      }
    }
    // Nothing slept in the database, however slow this machine is: ten such words would take half a minute.
    expect(performance.now() - from).toBeLessThan(30_000);
    expect(await people()).toBe(before);
    // `%`, a wildcard of LIKE, is searched for literally.
    const found = expectStatus(
      await admin.get(`/api/admin/users?search=${encodeURIComponent("%")}`),
      200,
    ).text;
    expect(found).not.toContain(deal.buyer.username);
    const own = expectStatus(await admin.get(`/api/admin/users?search=${deal.buyer.username}`), 200).text;
    expect(own).toContain(deal.buyer.username);
    // What hands a text to the database as it is stands here by name: names of tables and rules as the catalogue has them, what backup and
    // restore copy by, and a library's migrations.
    expect(
      findSourcesWith(/sql\.raw\(|\.unsafe\(/, productSources("{app,modules,db}/**/*.{ts,tsx}")),
    ).toEqual([
      "db/access/application-role.ts",
      "db/access/grants.ts",
      "db/backup/driver-transaction.ts",
      "db/backup/load-archive.ts",
      "db/backup/save-archive.ts",
      "db/backup/schema-state.ts",
      "db/backup/suspend-rules.ts",
      "db/jobs/nightly-verifications.ts",
      "db/migrate.ts",
      "db/migrate/carry-over.ts",
    ]);
  });

  test("1.2.5 no shell gets untrusted text: programs are started by one file, without a shell", () => {
    const sources = productSources("{app,modules,db,locales}/**/*.{ts,tsx}");
    const starts = sources
      .filter((source) => runtimeImports(source).some((name) => /^(node:)?child_process$/.test(name)))
      .map(({ path }) => path);
    expect(starts).toEqual(["db/embedded/run-command.ts"]);
    // What else the runtime offers starts nothing: no other of its modules and functions is used, by any name.
    const used = (pattern: RegExp) =>
      new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name)));
    const own = new Set(sources.flatMap(runtimeImports).filter((name) => /^(node:|bun$|bun:)/.test(name)));
    const harmless = "async_hooks crypto events fs fs/promises http net os path stream stream/promises".split(
      " ",
    );
    harmless.push("timers/promises", "url", "util", "zlib", "child_process");
    expect([...own].filter((name) => !harmless.includes(name.replace("node:", ""))).sort()).toEqual(["bun"]);
    expect([...used(/import \{([^}]*)\} from "bun"/g)]).toEqual([" S3Client, type S3ListObjectsResponse "]);
    const functions = used(/\bBun\b(?!"|\s)(?:\.(\w+)|(?=[[,;)]))/g);
    const known = [
      "CryptoHasher",
      "deepEquals",
      "file",
      "hash",
      "password",
      "randomUUIDv7",
      "sleep",
      "write",
    ];
    known.push("Archive", "SHA256", "S3Client", "stdin", "listen");
    expect([...functions].filter((name) => !known.includes(name))).toEqual([]);
    expect(
      findSourcesWith(
        /shell:|\brequire\(|process\.(binding|getBuiltinModule|dlopen)|globalThis\.Bun/,
        sources,
      ),
    ).toEqual([]);
    const embedded = sources.filter(({ path }) => path.startsWith("db/embedded/"));
    // What it is given are paths and names of our own settings, never anything of a request.
    expect(
      embedded.flatMap(runtimeImports).filter((name) => /^#(modules|http|forms|app)\//.test(name)),
    ).toEqual([]);
  });

  test("1.2.9 special characters of patterns are escaped: a search for them finds them and nothing else", async () => {
    const { seller } = await makeRoomPair(server);
    expectStatus(await seller.post("/api/chat/rooms", { name: "Sword (a+b)* [x] $1" }), 201);
    expectStatus(await seller.post("/api/chat/rooms", { name: "Sword aab x" }), 201);
    const rooms = async (words: string) => {
      const { text } = expectStatus(await seller.get(`/chat?q=${encodeURIComponent(words)}`), 200);
      return [text.includes("Sword (a+b)* [x] $1"), text.includes("Sword aab x")];
    };
    expect(await rooms("(a+b)* [x]")).toEqual([true, false]);
    expect(await rooms("Sword .* x")).toEqual([false, false]);
    expect(await rooms("[")).toEqual([true, false]);
    expect(await rooms("Sword")).toEqual([true, true]);
    // Patterns are made of our own constants.
    expect(findSourcesWith(/new RegExp\(/)).toEqual([
      "app/islands/room/messages/body-parts.ts",
      "app/islands/room/messages/own-acts.ts",
      "app/server/texts/lookalike-links.ts",
      "locales/visible-text.ts",
      "modules/identity/lib/names/inflections.ts",
      "modules/identity/lib/names/link-lookalikes.ts",
      "modules/identity/lib/names/reserved-names.ts",
    ]);
  });
});
