import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { imageLimits } from "#constants/rooms";
import {
  blankPng,
  jpegAndPage,
  noisePicture,
  scriptMarkup,
  unacceptablePictures,
} from "../support/hostile/hostile-pictures.ts";
import { actingPdfs, brokenPdfs } from "../support/hostile/pdfs.ts";
import { expectStatus, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { rawExchange } from "../support/server/raw-exchange.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { readSecuritySection } from "../support/sources/security-docs.ts";
import { openDisputedTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** What people bring as files, and what they take along. ASVS V5. */

let server: SharedServer;
let deal: ServerTrade;
let admin: Client;
let picture: Buffer;

beforeAll(async () => {
  server = await sharedServer();
  [deal, admin, picture] = await Promise.all([
    openDisputedTrade(server),
    signInAdministrator(server),
    noisePicture(120, 80).jpeg().toBuffer(),
  ]);
}, 240_000);

const call = () => `/api/chat/rooms/${deal.roomId}/images`;
const send = (bytes: Uint8Array, type = "image/jpeg") =>
  deal.buyer.post(call(), { imageData: `data:${type};base64,${Buffer.from(bytes).toString("base64")}` });

/** As a browser's form brings a file, under any name and type. */
async function upload(bytes: Uint8Array, name: string, type = "image/png") {
  const form = new FormData();
  form.append("image", new File([new Uint8Array(bytes)], name, { type }));
  const headers = { Cookie: deal.buyer.cookies() };
  const reply = await fetch(`${server.url}${call()}`, { method: "POST", body: form, headers });
  return {
    status: reply.status,
    body: (await reply.json()) as { code?: string; image?: { full: string; small: string } },
  };
}

const see = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    redirect: "manual",
    headers: { Cookie: deal.buyer.cookies(), ...headers },
  });

test("5.1.1 allowed uploads are documented: kinds, sizes, pixels, and processing", () => {
  const said = readSecuritySection("input", "Files");
  expect(said).toContain(`${imageLimits.pdfBytes / 1024 ** 2} MB`);
  for (const kind of ["JPEG", "PNG", "WebP", "GIF", "AVIF", "PDF"]) expect(said).toContain(kind);
  expect(said).toContain(`${imageLimits.bytes / 1024 ** 2} MB`);
  expect(said).toContain(`${imageLimits.pixels / 1e6} million pixels`);
  for (const word of ["re-encoded", "refused", "quarantine"]) expect(said).toContain(word);
});

describe("uploads", () => {
  test("5.2.1 files too large are refused: by their declared and by their real size", async () => {
    const junk = new Uint8Array(imageLimits.bytes + 1);
    const [held, announced, elsewhere] = await Promise.all([
      send(junk),
      deal.buyer.send("POST", call(), "x".repeat(imageLimits.upload + 1)),
      deal.buyer.send("POST", "/api/support", `{"message":"${"x".repeat(1024 ** 2)}"}`),
    ]);
    expect([held.status, held.body.code]).toEqual([413, "IMAGE_TOO_LARGE"]);
    expect([announced.status, announced.body.code]).toEqual([413, "IMAGE_TOO_LARGE"]);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("5.2.2 a file is what it claims: other files are refused whatever their name and type, and a picture is redrawn", async () => {
    for (const [what, bytes] of await unacceptablePictures()) {
      const reply = await upload(bytes, "photo.png");
      expect([what, reply.status, reply.body.code]).toEqual([what, 422, "IMAGE_UNREADABLE"]);
    }
    for (const [what, bytes] of [...actingPdfs(), ...brokenPdfs()]) {
      const reply = await send(bytes, "application/pdf");
      expect([what, reply.status, reply.body.code?.startsWith("FILE_")]).toEqual([what, 422, true]);
    }
    // A true picture under a name of a program is a picture all the same: the name counts for nothing.
    const named = await upload(picture, "run.php.exe", "application/x-msdownload");
    const shown = Buffer.from(await (await see(named.body.image?.full ?? "")).arrayBuffer());
    expect(await sharp(shown).metadata()).toMatchObject({ format: "webp", width: 120, height: 80 });
  });

  test("5.2.3 what unpacks to too much is refused: pictures by their pixels, compressed bodies immediately", async () => {
    for (const bytes of [blankPng(30_000, 30_000, 10), blankPng(30_001, 1)]) {
      const reply = await send(bytes, "image/png");
      expect([reply.status, reply.body.code]).toEqual([422, "IMAGE_TOO_MANY_PIXELS"]);
    }
    const words = JSON.stringify({ content: "x".repeat(4_000_000) });
    const reply = await fetch(`${server.url}/api/chat/rooms/${deal.roomId}/messages`, {
      method: "POST",
      body: gzipSync(words),
      headers: {
        Cookie: deal.buyer.cookies(),
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
      },
    });
    // Nobody unpacks it: what arrives is no JSON.
    expect(reply.status).toBe(400);
    await reply.text();
  });

  test("5.3.1 an upload is never executed: a picture that is also a page is returned as the picture alone, sandboxed", async () => {
    const polyglot = await jpegAndPage();
    const { image } = (await upload(polyglot, "page.html", "text/html")).body;
    for (const path of [image?.full ?? "", image?.small ?? ""]) {
      const reply = await see(path, { Accept: "text/html", "Sec-Fetch-Dest": "document" });
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(reply.headers.get("content-security-policy")).toStartWith("sandbox; default-src 'none'");
      expect(Buffer.from(await reply.arrayBuffer()).includes("script")).toBe(false);
      expect(polyglot.includes(scriptMarkup)).toBe(true);
    }
    // Nor is there an address at which the file itself lies.
    for (const path of ["/files/", "/uploads/page.html", "/.data/files", "/files/page.html"]) {
      expect([path, (await see(path)).status]).toEqual([path, 404]);
    }
  });

  test("5.3.2 paths are made of Midman's own names: a climbing name leaves no trace, and a climbing address finds nothing", async () => {
    for (const name of [
      "../../evil.webp",
      "..\\evil.webp",
      "/etc/cron.d/evil",
      "evil\0.webp",
      "....//evil.webp",
    ]) {
      expect((await upload(picture, name)).status).toBe(201);
    }
    const kept = readdirSync(join(server.dataDir, "files"), { recursive: true, withFileTypes: true });
    const strange = kept
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .filter((name) => !/^[0-9a-f]{8}-[0-9a-f-]{27}-((full|small)\.webp|file\.pdf)$/.test(name));
    expect(strange).toEqual([]);
    expect(existsSync(join(server.dataDir, "evil.webp"))).toBe(false);
    for (const id of [
      "..%2f..%2fsession-secret",
      "../../session-secret",
      "%2e%2e/x",
      `${crypto.randomUUID()}/../x`,
      "%00",
    ]) {
      const reply = await see(`/chat/${deal.roomId}/images/${id}`);
      expect([id, reply.status]).toEqual([id, 404]);
      await reply.text();
    }
    // As they are: a client of manners would take the dots out beforehand.
    for (const path of [
      "/assets/../../config.ts",
      "/assets/%2e%2e/%2e%2e/package.json",
      "/..%2f..%2fetc/passwd",
      // These are there, from where the build lies.
      "/..%2f..%2fpackage.json",
      "/assets/..%2f..%2f..%2fpackage.json",
      "/..%2fserver%2findex.js",
    ]) {
      const heard = await rawExchange(
        server.port,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([path, heard.slice(0, 12)]).toEqual([path, "HTTP/1.1 404"]);
    }
  });
});

describe("downloads", () => {
  test("5.4.1 Midman names downloads: whatever an address asks for, each response has its own name", async () => {
    const day = "2026-01-02";
    for (const [path, name] of [
      [
        "/admin/activity-logs.csv?filename=evil.exe&name=evil.exe",
        /^attachment; filename="activity_logs_[\d-]{10}\.csv"$/,
      ],
      [
        `/admin/money/transfers.csv?day=${day}&filename=evil.exe`,
        /^attachment; filename="transfers-2026-01-02\.csv"$/,
      ],
      ["/admin/email/welcome/export?file=evil.exe", /^attachment; filename="midman-email-welcome\.json"$/],
    ] as const) {
      const reply = expectStatus(await admin.get(path), 200);
      expect(reply.headers.get("content-disposition")).toMatch(name);
    }
    const archive = expectStatus(
      await admin.post(`/api/admin/transactions/${deal.id}/evidence?name=evil.exe`),
      200,
    );
    expect(archive.headers.get("content-disposition")).toMatch(
      /^attachment; filename="evidence-MM-[0-9A-Z]{8}\.tar"$/,
    );
    const { image } = (await upload(picture, "evil.exe")).body;
    const shown = await see(image?.full ?? "");
    expect(shown.headers.get("content-disposition")).toMatch(
      /^inline; filename="midman-\d{4}-\d\d-\d\d-\d+\.webp"$/,
    );
  });

  test("5.4.2 file names cannot break a header: what would end or split one is refused before", async () => {
    for (const trick of [
      '2026-01-02"; filename="evil.exe',
      "2026-01-02\r\nSet-Cookie: a=b",
      "2026-01-02%0d%0aX: y",
      "../2026-01-02",
    ]) {
      for (const path of [
        `/admin/money/transfers.csv?day=${encodeURIComponent(trick)}`,
        `/admin/email/${encodeURIComponent(trick)}/export`,
        `/admin/activity-logs.csv?from=${encodeURIComponent(trick)}`,
      ]) {
        const reply = await admin.get(path);
        const named = reply.headers.get("content-disposition") ?? 'attachment; filename="none"';
        expect([path, named]).toEqual([path, expect.stringMatching(/^attachment; filename="[\w.-]+"$/)]);
        expect(reply.headers.getSetCookie().some((line) => line.startsWith("a="))).toBe(false);
        expect(reply.headers.get("x")).toBeNull();
      }
    }
  });

  test("5.4.3 no uploaded file is served as it was: not one run of its bytes reaches a reader", async () => {
    const signature = Buffer.from("X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*");
    const brought = Buffer.concat([picture, signature]);
    const { image } = expectStatus(await send(brought), 201).body as {
      image?: { full: string; small: string };
    };
    for (const path of [image?.full ?? "", image?.small ?? ""]) {
      const shown = Buffer.from(await (await see(path)).arrayBuffer());
      expect(shown.length).toBeGreaterThan(100);
      expect(shown.includes("EICAR")).toBe(false);
      for (let at = 0; at + 24 <= brought.length; at += 24) {
        expect(shown.includes(brought.subarray(at, at + 24))).toBe(false);
      }
    }
    // Alone it is no picture, and nothing of it is kept.
    expect((await send(signature)).body.code).toBe("IMAGE_UNREADABLE");
  });
});
