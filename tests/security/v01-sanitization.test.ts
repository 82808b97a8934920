import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Email } from "postal-mime";
import { translateText } from "#locales";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { startKnockCounter } from "../support/server/raw-exchange.ts";
import { startMailServer, type TestMailServer } from "../support/services/mail-server.ts";
import { startPushService } from "../support/services/push-service.ts";
import { findSourcesWith, productSources, runtimeImports } from "../support/sources/product-sources.ts";
import { requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";

/** What strangers' words are cleaned of, and what is never made of them. ASVS V1.3 to V1.5. */

let server: Server;
let post: TestMailServer;
let deal: ServerTrade;
let admin: Client;

beforeAll(async () => {
  post = await startMailServer("nobody@example.mn");
  server = await startServer({ environment: { SMTP_URL: post.url } });
  connectDatabase(server.databaseUrl);
  [deal, admin] = await Promise.all([requestPayment(server), signInAdministrator(server)]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
  await post?.stop();
});

const customize = "/api/admin/email-templates/customize";
const preview = "/api/admin/email-templates/preview";
const look = (customizations: Record<string, unknown>, at = preview) =>
  admin.post(at, { templateType: "welcome", language: "en", params: { name: "Naran" }, customizations });

/** The mails that have reached an address, once there are so many. */
async function mailsTo(address: string, wanted = 1): Promise<Email[]> {
  for (const from = Date.now(); Date.now() - from < 30_000; await Bun.sleep(50)) {
    const mails = await post.of(address);
    if (mails.length >= wanted) return mails;
  }
  throw new Error(`no ${wanted} mails to ${address}`);
}

const say = (content: unknown, by: Person = deal.buyer) =>
  by.post(`/api/chat/rooms/${deal.roomId}/messages`, { content });

describe("markup and code", () => {
  test("1.3.1 HTML of an editor is sanitized: no editor accepts any, and HTML typed into a mail's texts is text in the mail", async () => {
    const words = `<img src=x onerror=alert(1)> <b>`;
    const { body } = expectStatus(await look({ footerText: words, buttonText: "<script>x" }), 200);
    expect(String(body.html)).toContain("&lt;img src&#x3D;x onerror&#x3D;alert(1)&gt;");
    expect(String(body.html)).not.toMatch(/<img src=x|<script>x/);
    expect(findSourcesWith(/contenteditable|contentEditable|execCommand/)).toEqual([]);
  });

  test("1.3.2 no code is made from text: neither by Midman, nor under a policy that would let a page", async () => {
    const makes =
      /\beval\b|new Function\(|\bFunction\(["'`]|node:vm|setTimeout\(\s*["'`]|vm\.run|data:text\/javascript/;
    expect(findSourcesWith(makes)).toEqual([]);
    const { headers } = await server.client().get("/");
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe-eval|unsafe-inline|strict-dynamic/);
    // The one library that makes code of text is given nothing but the files of emails/.
    const users = productSources().filter((source) => runtimeImports(source).includes("handlebars"));
    expect(users.map(({ path }) => path)).toEqual(["modules/mailer/lib/templates/compile-templates.ts"]);
    // Libraries make code of our own shapes and templates; strangers' words are in none of it.
    const watched = await startServer({ program: "tests/support/programs/recording-code-server.ts" });
    try {
      const [desk, person] = [
        await signInAdministrator(watched),
        await registerPerson(watched, "Zqxword One"),
      ];
      const { seller, roomId } = await makeRoomPair(watched);
      expectStatus(await person.post("/api/chat/rooms", { name: "Zqxword {{room}}" }), 201);
      expectStatus(
        await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: "Zqxword {{1+1}}" }),
        201,
      );
      const asked = {
        topic: "other",
        name: "Zqxword",
        email: "zqxword@example.mn",
        message: "Zqxword of help",
      };
      expectStatus(await watched.client().post("/api/support", asked), 200, 201);
      const words = { subject: "Zqxword {{name}}", footerText: "Zqxword", buttonText: "Zqxword" };
      const mail = { templateType: "welcome", language: "en", params: { name: "Zqxword" } };
      expectStatus(await desk.post(preview, { ...mail, customizations: words }), 200);
      expectStatus(await desk.get("/admin/transactions?search=Zqxword"), 200);
      expectStatus(await seller.get(`/chat/${roomId}?q=Zqxword`), 200);
      const made = readFileSync(join(watched.dataDir, "code.jsonl"), "utf8").split("\n").filter(Boolean);
      expect(made.length).toBeGreaterThan(10);
      expect(made.filter((code) => code.includes("Zqxword"))).toEqual([]);
    } finally {
      await watched.stop();
    }
  });

  test("1.3.3 restricted before a dangerous place: characters that reverse, hide or end text are refused, and so are long texts", async () => {
    for (const content of [
      "\u202eevil",
      "a\u0000b",
      "a\u001b[31mb",
      "\ud800",
      "x".repeat(4_001),
      "",
      "   ",
    ]) {
      expect([content.slice(0, 10), (await say(content)).status]).toEqual([content.slice(0, 10), 422]);
    }
    const room = (name: string) => deal.seller.post("/api/chat/rooms", { name });
    for (const name of ["two\nlines", "x".repeat(81), "a\u2066b", "Midman: \u202epaid"]) {
      expect([name, (await room(name)).status]).toEqual([name, 422]);
    }
    const name = (displayName: string) => {
      const username = `n${crypto.randomUUID().slice(0, 12)}`;
      const account = {
        username,
        password: "a long enough one",
        avatarInitials: "",
        email: `${username}@example.mn`,
      };
      return server.client().post("/api/auth/register", { ...account, displayName });
    };
    for (const wrong of ["Midman", "Мidmаn support", "a\r\nb", "\u200b\u200b\u200b", "x".repeat(61)]) {
      expect([wrong, (await name(wrong)).status]).toEqual([wrong, 422]);
    }
  });

  test("1.3.4 no scriptable SVG is accepted: none is, whatever its name, and Midman's own come from the build alone", async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><foreignObject/></svg>`;
    for (const [type, bytes] of [
      ["image/svg+xml", drawing],
      ["image/png", drawing],
      ["image/png", `<?xml version="1.0"?>${drawing}`],
      ["image/svg+xml", `\x89PNG\r\n\x1a\n${drawing}`],
    ] as const) {
      const imageData = `data:${type};base64,${Buffer.from(bytes, "latin1").toString("base64")}`;
      const reply = await deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData });
      expect([type, reply.status, reply.body.code]).toEqual([type, 422, "IMAGE_UNREADABLE"]);
    }
  });

  test("1.3.5 untrusted Markdown, CSS and the like are restricted: members' are not parsed, and administrators' only as far as known", async () => {
    expectStatus(
      await say("**bold** [x](javascript:alert(1)) [b]x[/b] `code` ![](https://evil.example/x.png)"),
      201,
    );
    const { text } = expectStatus(await deal.seller.get(`/chat/${deal.roomId}`), 200);
    expect(text).toContain("**bold** [x](javascript:alert(1)) [b]x[/b]");
    for (const customCss of [
      ...[
        "p { background: url(https://evil.example/x) }",
        "@import 'https://evil.example'; p { color: red }",
      ],
      ...["p { position: fixed }", "</style><script>alert(1)</script>", "p { color: expression(alert(1)) }"],
      ...["p { color: env(1) }", "p { color: var(--x) }", "p { p { color: red } }"],
      ...[
        "p { color: red; behavior: url(#x) }",
        "* { display: none }",
        "p { \\75 rl(x): y }",
        "p::after { content: 'x' }",
      ],
    ]) {
      expect([customCss, (await look({ customCss }, customize)).status]).toEqual([customCss, 422]);
    }
    const { body } = expectStatus(await look({ customCss: "p { color: #112233 }" }), 200);
    expect(String(body.html)).toContain(".mail p { color: #112233 !important }");
  });

  test("1.3.6 the server calls only allowed hosts: pushes, logos, callbacks and data URLs cannot make it call others", async () => {
    const bell = await startKnockCounter();
    const { keys } = startPushService().browser();
    try {
      const here = [
        `127.0.0.1:${bell.port}`,
        `localhost:${bell.port}`,
        `[::1]:${bell.port}`,
        `2130706433:${bell.port}`,
      ];
      const places = [
        ...here.flatMap((host) => [`http://${host}/x`, `https://${host}/x`]),
        ...["http://169.254.169.254/latest/meta-data", "https://fcm.googleapis.com.evil.example/x"],
        ...["https://user@fcm.googleapis.com@127.0.0.1/x", `https://fcm.googleapis.com:${bell.port}/x`],
        ...[
          "file:///etc/passwd",
          "gopher://127.0.0.1/x",
          "http://fcm.googleapis.com/x",
          "ftp://fcm.googleapis.com/x",
        ],
      ];
      for (const endpoint of places) {
        const reply = await deal.buyer.post("/api/push/subscriptions", { endpoint, keys });
        expect([endpoint, reply.status]).toEqual([endpoint, 422]);
      }
      for (const logoUrl of [`http://127.0.0.1:${bell.port}/a.png`, "file:///etc/passwd", "javascript:x"]) {
        expect([logoUrl, (await look({ logoUrl }, customize)).status]).toEqual([logoUrl, 422]);
      }
      // A logo that may stand in a mail is fetched by the reader's program, never by us.
      expectStatus(await look({ logoUrl: `https://127.0.0.1:${bell.port}/a.png` }), 200);
      const images = `/api/chat/rooms/${deal.roomId}/images`;
      expectStatus(await deal.buyer.post(images, { imageData: `http://127.0.0.1:${bell.port}/a.png` }), 422);
      expectStatus(await say(`http://127.0.0.1:${bell.port}/a.png`), 201);
      expectStatus(await deal.seller.get(`/chat/${deal.roomId}`), 200);
      expectStatus(
        await deal.seller.get(`/away?to=${encodeURIComponent(`http://127.0.0.1:${bell.port}/`)}`),
        200,
      );
      await Bun.sleep(200);
      expect(bell.knocks()).toBe(0);
    } finally {
      await bell.stop();
    }
  });

  test("1.3.7 no template is made of untrusted text: braces in names stay text, and only known ones in an administrator's are filled", async () => {
    const name = "{{7*7}} {{constructor}} #{7*7}";
    const person = await registerPerson(server, name);
    // A mail names its reader once the address is proved.
    const links = async (page: string) => {
      const all = (await mailsTo(person.email, 2)).map(({ text }) => text).join();
      return new RegExp(`${page}\\?token=([\\w-]{43})`).exec(all)?.[1];
    };
    expectStatus(await person.post("/api/auth/verify-email", { token: await links("verify-email") }), 200);
    expectStatus(await person.post("/api/auth/forgot-password", { email: person.email }), 200);
    const mails = await mailsTo(person.email, 3);
    const whole = mails.map(({ text, html }) => `${text}${html}`).join();
    expect(whole).toContain("{{7*7}} {{constructor}} #{7*7}");
    expect(whole).not.toMatch(/\b49\b|native code|\[object/);
    for (const subject of [
      ...["{{constructor}}", "{{__proto__}}", "{{this}}", "{{#with name}}x{{/with}}", "{{lookup this 'x'}}"],
      ...["{{name.constructor}}", "{{> layout}}", "{{url}}", "{{name", "{{@root}}", "{{minutes}}"],
    ]) {
      expect([subject, (await look({ subject }, customize)).status]).toEqual([subject, 422]);
    }
    // Three braces are a brace around a variable, and not a way past escaping.
    const three = expectStatus(await look({ subject: "{{{name}}}", footerText: "{{{name}}}<i>" }), 200).body;
    expect([three.subject, String(three.html).includes("{Naran}&lt;i&gt;")]).toEqual(["{Naran}", true]);
    for (const templateType of ["constructor", "__proto__", "../../package", "toString"]) {
      expect((await admin.post(preview, { templateType })).status).toBe(422);
    }
  });

  test("1.3.10 untrusted format strings stay as they are: neither placeholders nor nested texts are filled in", async () => {
    const name = "%s {{name}}";
    const { seller } = await makeRoomPair(server);
    const room = expectStatus(await seller.post("/api/chat/rooms", { name: `$t(brand) ${name}` }), 201).body;
    const guest = await registerPerson(server, name);
    expectStatus(await guest.post("/api/chat/join", { code: room.inviteCode }), 200);
    const { list } = expectStatus(await seller.get(`/api/chat/rooms/${room.id}/messages`), 200);
    const said = list.find(({ senderId }) => senderId === null);
    expect(said).toMatchObject({
      content: "The buyer joined the chat",
      notice: { text: "The buyer joined the chat", person: { displayName: name } },
    });
    const words = expectStatus(await guest.get("/api/auth/user"), 200).body.displayName;
    expect(words).toBe(name);
    const page = expectStatus(await seller.get(`/chat/${room.id}`), 200).text;
    expect(page).toContain("$t(brand) %s {{name}}");
  });

  test("1.3.11 mail headers and commands cannot be injected: no untrusted line starts another", async () => {
    const ask = (fields: Record<string, string>) =>
      server.client().post("/api/support", { topic: "payment", message: "My payment is lost.", ...fields });
    for (const email of [
      ...[
        "a@example.mn\r\nBcc: victim@example.mn",
        "a@example.mn\nRCPT TO:<victim@example.mn>",
        "a@example.mn, victim@example.mn",
      ],
      ...['"x\r\nBcc: victim@example.mn"@example.mn', "a@example.mn>\r\nRCPT TO:<victim@example.mn"],
    ]) {
      expect([email, (await ask({ name: "A", email })).status]).toEqual([email, 422]);
    }
    expect((await ask({ name: "A\r\nBcc: victim@example.mn", email: "asker@example.mn" })).status).toBe(422);
    const message =
      "First line.\r\n.\r\nMAIL FROM:<evil@example.mn>\r\nRCPT TO:<victim@example.mn>\r\nBcc: victim@example.mn";
    expectStatus(await ask({ name: "Dorj; <victim@example.mn>", email: "asker@example.mn", message }), 201);
    await mailsTo("asker@example.mn");
    const [request] = await mailsTo("support@midman.example");
    expect(request?.text).toContain("RCPT TO:<victim@example.mn>");
    expect(request?.headers.filter(({ key }) => /^(bcc|cc)$/.test(key))).toEqual([]);
    expect(request?.to?.map(({ address }) => address)).toEqual(["support@midman.example"]);
    expect(await post.of("victim@example.mn")).toEqual([]);
  });
});

describe("memory, numbers and resources", () => {
  test("1.4.1 memory safety: Midman's code uses only the runtime's memory, and the picture decoder survives hostile input", async () => {
    expect(findSourcesWith(/bun:ffi|allocUnsafe|process\.dlopen|WebAssembly\./)).toEqual([]);
    const header = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    const hostile = [0x00, 0xff, 0x7f].map((byte) => Buffer.concat([header, Buffer.alloc(4096, byte)]));
    for (const bytes of hostile) {
      const imageData = `data:image/png;base64,${bytes.toString("base64")}`;
      expect((await deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData })).status).toBe(
        422,
      );
    }
    expectStatus(await server.client().get("/readyz"), 200);
  });

  test("1.4.2 numbers stay in range: too large, too small or broken ones are refused, in bodies and in addresses", async () => {
    const before = await countWrittenRows();
    const { seller, roomId } = await makeRoomPair(server);
    for (const amount of [
      0,
      -1,
      0.5,
      1e9,
      2 ** 31,
      2 ** 53,
      2 ** 63,
      1e308,
      5000.5,
      "5000",
      null,
      Number.NaN,
    ]) {
      const reply = await seller.post("/api/transactions", { chatRoomId: roomId, amount });
      expect([amount, reply.status]).toEqual([amount, 422]);
    }
    for (const id of [
      "0",
      "-1",
      "1.5",
      "1e3",
      "0x1",
      "9007199254740993",
      "18446744073709551616",
      "٣",
      "1 ",
    ]) {
      const at = encodeURIComponent(id);
      const statuses = await Promise.all(
        [`/api/transactions/${at}`, `/api/chat/rooms/${at}`, `/chat/${at}`, `/transactions/${at}`].map(
          async (path) => (await seller.get(path)).status,
        ),
      );
      expect([id, ...statuses]).toEqual([id, 404, 404, 404, 404]);
    }
    const counts = await countWrittenRows();
    expect(counts["escrow.trades"]).toBe(before["escrow.trades"]);
  });

  test("1.4.3 resources are released: after many sockets, files and aborted requests no more is held than before", async () => {
    const files = () => (existsSync("/proc") ? readdirSync(`/proc/${server.pid}/fd`).length : 0);
    /** Sockets and rooms that the program still knows, and transactions that are open or wait. */
    const held = async () => {
      const { text } = expectStatus(await server.client().get("/metrics"), 200);
      const names = ["sockets", "rooms_open", "database_transactions_open", "database_transactions_waiting"];
      return names.map((name) =>
        Number(new RegExp(`^midman_${name} (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN),
      );
    };
    /** The same once all is given back, or after 15 seconds: a job of the server's own has a transaction for a moment. */
    const heldInTheEnd = async () => {
      let now = await held();
      for (const from = Date.now(); Date.now() - from < 15_000 && now.some((count) => count > 0); ) {
        await Bun.sleep(100);
        now = await held();
      }
      return now;
    };
    const ask = (path: string, signal?: AbortSignal) =>
      fetch(`${server.url}${path}`, { headers: { Cookie: deal.buyer.cookies() }, ...(signal && { signal }) });
    const paths = [`/chat/${deal.roomId}`, "/icon.svg", "/icon-192.png", `/api/transactions/${deal.id}`];
    // What is opened once for all is opened before it is counted.
    for (const path of paths) await (await ask(path)).arrayBuffer();
    const before = files();
    expect(await heldInTheEnd()).toEqual([0, 0, 0, 0]);
    const url = `${server.url.replace("http", "ws")}/ws?roomId=${deal.roomId}&userId=${deal.buyer.id}`;
    for (let round = 0; round < 3; round++) {
      const sockets = Array.from(
        { length: 40 },
        () => new WebSocket(url, { headers: { Cookie: deal.buyer.cookies(), Origin: server.url } } as never),
      );
      await Promise.all(
        sockets.map((one) => new Promise((done) => one.addEventListener("open", done, { once: true }))),
      );
      if (round === 0) expect((await held()).slice(0, 2)).toEqual([40, 1]);
      for (const path of paths) {
        for (let at = 0; at < 6; at++) await (await ask(path)).arrayBuffer();
        for (let at = 0; at < 6; at++) {
          const stop = new AbortController();
          const asked = ask(path, stop.signal).catch(() => undefined);
          stop.abort();
          await asked;
        }
      }
      for (const socket of sockets) socket.close();
    }
    for (const from = Date.now(); Date.now() - from < 15_000 && files() > before + 30; ) await Bun.sleep(100);
    expect(await heldInTheEnd()).toEqual([0, 0, 0, 0]);
    expect(files()).toBeLessThanOrEqual(before + 30);
    expectStatus(await deal.buyer.get(`/chat/${deal.roomId}`), 200);
  });
});

describe("parsers and formats", () => {
  test("1.5.1 XML is parsed without external entities: no untrusted XML is parsed at all", async () => {
    const bell = await startKnockCounter();
    try {
      const xml = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:${bell.port}/e"><!ENTITY f SYSTEM "file:///etc/passwd">]><x>&e;&f;</x>`;
      for (const type of ["application/xml", "text/xml", "application/json", "image/svg+xml"]) {
        const replies = [
          await deal.buyer.send("POST", `/api/chat/rooms/${deal.roomId}/messages`, xml, {
            "Content-Type": type,
          }),
          await deal.buyer.send("POST", `/api/chat/rooms/${deal.roomId}/images`, xml, {
            "Content-Type": type,
          }),
          await server.client().send("POST", "/sandbox/qpay/v2/auth/token", xml, { "Content-Type": type }),
        ];
        for (const { status, text } of replies) {
          expect([type, status >= 400 && status < 500, text.includes("root:")]).toEqual([type, true, false]);
        }
      }
      expect(bell.knocks()).toBe(0);
    } finally {
      await bell.stop();
    }
    const { dependencies } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
    expect(Object.keys(dependencies).filter((name) => /xml|sax|xpath|xslt/.test(name))).toEqual([]);
  });

  test("1.5.2 no objects are made from untrusted bytes: only JSON, by a schema, and foreign cookies are ignored", async () => {
    expect(
      findSourcesWith(/\bdeserialize\(|node:v8|node-serialize|structuredClone\(.*request|yaml/i),
    ).toEqual([]);
    const packed = (toast: object) => Buffer.from(JSON.stringify(toast)).toString("base64url");
    // A toast for the page that is asked for is found by the page's digest in the cookie's name.
    const flash = `midman-flash-${Bun.hash.crc32("/").toString(16)}-1`;
    const shown = await server
      .client({ Cookie: `${flash}=${packed({ kind: "success", key: "toast.loggedOut" })}` })
      .get("/");
    expect(shown.text).toContain(translateText("en", "toast.loggedOut"));
    const forged = packed({ kind: "success", key: "__proto__.x", params: { constructor: { name: "x" } } });
    const page = await server
      .client({ Cookie: `${flash}=${forged}; midman-typed=${forged}; midman-theme=__proto__` })
      .get("/");
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("__proto__");
    const body =
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"displayName":"Plain"}';
    expectStatus(await deal.buyer.send("PATCH", "/api/users/profile", body), 200);
    expect(expectStatus(await deal.buyer.get("/api/auth/user"), 200).body.isAdmin).toBe(false);
    expect((await deal.buyer.get("/api/admin/stats")).status).toBe(403);
  });
});
