import { afterAll, beforeAll, expect, test } from "bun:test";
import sharp from "sharp";
import { expectStatus } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { makeLogoFolder, plainPicture } from "../support/trades/bank-logo-folder.ts";
import { requestPayment } from "../support/trades/server-trades.ts";

/** The banks' logos that an operator has put into BANK_LOGOS_DIR, from the page to the picture. */

let server: Server;
let folder: ReturnType<typeof makeLogoFolder>;

beforeAll(async () => {
  const png = await plainPicture(200, 200, "#f00").png().toBuffer();
  folder = makeLogoFolder({ "khanbank.png": png, "tdbbank.png": "not a picture", "logo.png": png });
  server = await startServer({ environment: { BANK_LOGOS_DIR: folder.path } });
}, 240_000);

afterAll(async () => {
  await server?.stop();
  folder?.remove();
});

const get = (path: string, method = "GET") => fetch(`${server.url}${path}`, { method, redirect: "manual" });

/** The pictures of the bank buttons of a page, by scheme; null where there is the initial. */
function marksOf(page: string): Record<string, string | null> {
  const buttons = page.matchAll(/<a [^>]*data-bank-app="([^"]+)"[^>]*>(.*?)<\/a>/gs);
  return Object.fromEntries(
    [...buttons].map(([, scheme = "", inside = ""]) => [scheme, /<img[^>]*>/.exec(inside)?.[0] ?? null]),
  );
}

test("the buyer's page has the logo of a bank, which anybody may fetch and keep for a year", async () => {
  const { buyer, roomId } = await requestPayment(server);
  const page = expectStatus(await buyer.get(`/chat/${roomId}/trade`), 200);
  const marks = marksOf(page.text);
  expect(Object.keys(marks).length).toBeGreaterThan(5);
  expect(Object.keys(marks).filter((scheme) => marks[scheme] !== null)).toEqual(["khanbank"]);
  const image = marks.khanbank ?? "";
  for (const part of ['alt=""', 'width="28"', 'height="28"', 'loading="lazy"']) expect(image).toContain(part);
  expect(page.headers.get("content-security-policy")).toContain("; img-src 'self' data: blob:;");
  const path = /src="([^"]+)"/.exec(image)?.[1] ?? "";
  expect(path).toMatch(/^\/bank-logos\/khanbank-[\w-]{43}\.webp$/);

  const reply = await get(path);
  expect([reply.status, Object.fromEntries(reply.headers)]).toMatchObject([
    200,
    {
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    },
  ]);
  const picture = await sharp(Buffer.from(await reply.arrayBuffer())).metadata();
  expect(picture).toMatchObject({ format: "webp", width: 96, height: 96 });
  const head = await get(path, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);

  const wrongHash = path.replace(/.{43}\.webp$/, `${"0".repeat(43)}.webp`);
  for (const other of [
    wrongHash,
    "/bank-logos/khanbank.png",
    "/bank-logos/..%2fkhanbank.png",
    "/bank-logos/",
  ])
    expect([other, (await get(other)).status]).toEqual([other, 404]);
  expect((await get(path, "POST")).status).not.toBe(200);
});

test("the start names the files that are no logo", () => {
  const lines = server.output().split("\n");
  const warnings = lines.filter((line) => line.includes("BANK_LOGOS_DIR: a file is left out"));
  expect(warnings.map((line) => JSON.parse(line).file)).toEqual(["logo.png", "tdbbank.png"]);
});
