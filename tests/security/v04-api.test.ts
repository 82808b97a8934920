import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { type Answer, collectAnswers } from "../support/api/collect-answers.ts";
import { expectStatus, makeRoomPair, registerPerson } from "../support/people/registered-people.ts";
import { secureUrl, startBehindTls } from "../support/server/behind-tls.ts";
import type { Server } from "../support/server/midman-server.ts";
import { rawExchange } from "../support/server/raw-exchange.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** HTTP and the socket as programs and proxies speak them. ASVS V4. */

let plain: SharedServer;
let secure: Server;
let answers: Answer[];

beforeAll(async () => {
  plain = await sharedServer();
  connectDatabase(plain.databaseUrl);
  secure = await startBehindTls(plain);
  answers = await collectAnswers(plain);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await secure?.kill();
});

/** How an upgrade of `/ws` is answered: its status, and the code the socket closes with, if any. */
async function knock(server: SharedServer, path: string, headers: Record<string, string>): Promise<string> {
  const lines = {
    Host: `127.0.0.1:${server.port}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const heard = await rawExchange(server.port, `GET ${path} HTTP/1.1\r\n${head.join("")}\r\n`);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? "none";
  // A close frame of a server: 0x88, its length, and the code as two bytes.
  const [kind, , high = 0, low = 0] = Buffer.from(heard.slice(heard.indexOf("\r\n\r\n") + 4), "latin1");
  return kind === 0x88 ? `${status} ${high * 256 + low}` : status;
}

describe("responses", () => {
  test("4.1.1 every response names its type and encoding, and is what it says", () => {
    const said = answers.filter(({ text }) => text !== "");
    const kinds: Array<[RegExp, (text: string) => boolean]> = [
      [/^text\/html; ?charset=utf-8$/, (text) => /^(?:\s*<!doctype html>|<)/i.test(text)],
      [/^application\/json; ?charset=utf-8$/, (text) => JSON.parse(text) !== undefined],
      [/^application\/manifest\+json$/, (text) => JSON.parse(text).name !== undefined],
      [/^text\/(javascript|css|plain|csv); ?charset=utf-8$/, (text) => !/^\s*<(!doctype|html)/i.test(text)],
      [/^application\/xml; ?charset=utf-8$/, (text) => text.startsWith("<?xml")],
      [/^image\/svg\+xml; ?charset=utf-8$/, (text) => text.includes("<svg")],
      [/^image\/webp$/, (text) => text.startsWith("RIFF")],
      [/^image\/png$/, (text) => text.slice(1, 4) === "PNG"],
      [/^application\/x-tar$/, (text) => text.slice(257, 262) === "ustar"],
      [/^application\/x-pem-file$/, (text) => text.startsWith("-----BEGIN PUBLIC KEY-----")],
    ];
    expect(said.length).toBeGreaterThan(45);
    for (const { what, headers, text } of said) {
      const type = headers.get("content-type") ?? "none";
      const kind = kinds.find(([pattern]) => pattern.test(type));
      expect([what, type, kind?.[1](text)]).toEqual([what, type, true]);
    }
  });

  test("4.1.2 only pages redirect to HTTPS: calls and sockets without it are refused", async () => {
    const without = { "X-Forwarded-Proto": "http", Accept: "text/html" };
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${secure.url}${path}`, { redirect: "manual", ...init, headers: without });
    for (const path of ["/", "/chat/7?before=3", "/faq"]) {
      const reply = await ask(path);
      expect([path, reply.status, reply.headers.get("location")]).toEqual([path, 308, `${secureUrl}${path}`]);
    }
    for (const [method, path] of [
      ["GET", "/api/auth/user"],
      ["POST", "/api/auth/login"],
      ["POST", "/"],
      ["POST", "/chat"],
      ["GET", "/ws?roomId=1&userId=1"],
      ["POST", "/sandbox/qpay/v2/auth/token"],
    ] as const) {
      const reply = await ask(path, { method });
      expect([path, reply.status, reply.headers.get("location")]).toEqual([path, 403, null]);
      if (path.startsWith("/api/"))
        expect(((await reply.json()) as { code: string }).code).toBe("HTTPS_REQUIRED");
    }
    expect((await ask("/healthz")).status).toBe(200);
  });

  test("4.1.3 untrusted forwarding headers are ignored, and of a proxy's only its own part is used", async () => {
    const spoofed = {
      "X-Forwarded-For": "203.0.113.7",
      "X-Real-IP": "203.0.113.7",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "evil.example",
      Forwarded: "for=203.0.113.7;proto=https;host=evil.example",
      "X-Request-Id": "of-a-stranger-0001",
      "X-User-Id": "1",
    };
    const username = `spoof${crypto.randomUUID().slice(0, 8)}`;
    const account = { username, password: "a long enough one", displayName: "Spoof", avatarInitials: "" };
    const lies = plain.client(spoofed);
    const registered = expectStatus(
      await lies.post("/api/auth/register", { ...account, email: `${username}@example.mn` }),
      200,
      201,
    );
    expect(registered.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
    expect(registered.headers.get("x-request-id")).not.toBe("of-a-stranger-0001");
    expect(registered.headers.getSetCookie().join()).toContain("midman-session=");
    expect(registered.headers.getSetCookie().join()).not.toContain("__Host-");
    expect(expectStatus(await plain.client(spoofed).get("/robots.txt"), 200).text).not.toContain(
      "evil.example",
    );
    const proxied = secure.client({
      "X-Forwarded-For": "198.51.100.1, 203.0.113.9",
      "X-Forwarded-Proto": "https",
    });
    expectStatus(await proxied.post("/api/auth/login", { username, password: account.password }), 200);
    const rows = await db().execute<{ ip: string }>(sql`
      SELECT DISTINCT host(t.ip::inet) AS ip FROM audit.traces t WHERE t.ip IN ('203.0.113.7', '198.51.100.1', '203.0.113.9', '127.0.0.1')`);
    expect(rows.map(({ ip }) => ip).sort()).toEqual(["127.0.0.1", "203.0.113.9"]);
  });
});

describe("messages", () => {
  test("4.2.1 messages end where they declare: two lengths, a length with chunks or an invalid one is refused, and nothing after it is read", async () => {
    const host = `Host: 127.0.0.1:${plain.port}\r\n`;
    const smuggled = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
    const post = (headers: string, body: string) =>
      rawExchange(plain.port, `POST /api/auth/logout HTTP/1.1\r\n${host}${headers}\r\n${body}`);
    const tricks: Array<[string, string]> = [
      ["Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`],
      ["Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", `0\r\n\r\n${smuggled}`],
      ["Content-Length: 0\r\nContent-Length: 44\r\n", smuggled],
      ["Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${smuggled}`],
      ["Transfer-Encoding: identity, chunked\r\nTransfer-Encoding: identity\r\n", `0\r\n\r\n${smuggled}`],
      ["Content-Length : 0\r\n", smuggled],
      ["Content-Length: -1\r\n", smuggled],
      ["Content-Length: 0x2c\r\n", smuggled],
      ["Transfer-Encoding: chunked\r\n", `ffffffffffffffffff\r\n${smuggled}`],
    ];
    const heard = await Promise.all(tricks.map(([headers, body]) => post(headers, body)));
    for (const [at, [headers]] of tricks.entries()) {
      const statuses = heard[at]?.match(/HTTP\/1\.1 \d{3}/g) ?? [];
      expect([headers, heard[at] === undefined]).toEqual([headers, false]);
      expect([headers, statuses.filter((status) => !/ 4\d\d$/.test(status))]).toEqual([headers, []]);
      expect(heard[at]).not.toContain('{"status":"ok"}');
    }
    // Two messages that are what they say are both answered.
    const both = await post("Content-Length: 0\r\n", smuggled);
    expect(both.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(2);
    expect(both).toContain('{"status":"ok"}');
  });
});

describe("the socket", () => {
  test("4.4.1 sockets over TLS: if people use https, none opens without it, and pages use wss", async () => {
    const { buyer, roomId } = await makeRoomPair(plain);
    const path = `/ws?roomId=${roomId}&userId=${buyer.id}`;
    const Cookie = buyer.cookies().replaceAll(/(^|; )(?=midman-)/g, "$1__Host-");
    const by = (proto: string) =>
      knock(secure, path, { Cookie, Origin: secureUrl, "X-Forwarded-Proto": proto });
    expect(await by("http")).toBe("403");
    expect(await by("https")).toBe("101");
    // The session's name holds the __Host- prefix there, so that the cookie itself never travels without TLS.
    expect(
      await knock(secure, path, { Cookie: buyer.cookies(), Origin: secureUrl, "X-Forwarded-Proto": "https" }),
    ).toBe("101 4401");
    const page = await fetch(`${secure.url}/`, { headers: { "X-Forwarded-Proto": "https" } });
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
  });

  test("4.4.2 the socket's origin is checked, and so are its session, its user and its room", async () => {
    const { buyer, seller, roomId } = await makeRoomPair(plain);
    const stranger = await registerPerson(plain);
    const path = `/ws?roomId=${roomId}&userId=${buyer.id}`;
    const Cookie = buyer.cookies();
    const opened = (headers: Record<string, string>, at = path) => knock(plain, at, headers);
    expect(await opened({ Cookie, Origin: plain.url })).toBe("101");
    for (const Origin of [
      "https://evil.example",
      "null",
      `${plain.url}.evil.example`,
      `http://127.0.0.1:${plain.port + 1}`,
    ]) {
      expect([Origin, await opened({ Cookie, Origin })]).toEqual([Origin, "403"]);
    }
    expect(await opened({ Cookie, "Sec-Fetch-Site": "cross-site" })).toBe("403");
    expect(await opened({ Origin: plain.url })).toBe("101 4401");
    expect(await opened({ Cookie: seller.cookies(), Origin: plain.url })).toBe("101 4403");
    const foreign = `/ws?roomId=${roomId}&userId=${stranger.id}`;
    expect(await opened({ Cookie: stranger.cookies(), Origin: plain.url }, foreign)).toBe("101 4404");
  });
});
