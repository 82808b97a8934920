import { beforeAll, expect, test } from "bun:test";
import { visibleText } from "../support/pages/visible-text.ts";
import { makeRoomPair } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** The page between a member's link and another site: it tells, and never leads anywhere by itself. */

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
}, 240_000);

const away = (to: string) =>
  server.client({ "Accept-Language": "en" }).get(`/away?to=${encodeURIComponent(to)}`);

test("shows where a link leads, and lets the reader go there without a trace", async () => {
  const reply = await away("https://steamcommunity.com/id/bold?a=1&b=%22");
  expect(reply.status).toBe(200);
  expect(visibleText(reply.text)).toContain("steamcommunity.com");
  expect(reply.text).toContain(
    '<a href="https://steamcommunity.com/id/bold?a=1&amp;b=%22" rel="noopener noreferrer nofollow"',
  );
  expect(reply.headers.get("referrer-policy")).toBe("no-referrer");
  expect(reply.headers.get("refresh")).toBeNull();
  expect(reply.text).toContain('<meta name="robots" content="noindex"/>');
  expect(reply.text).not.toContain("Be careful with this address");
});

test("warns of look-alikes", async () => {
  const { text } = await away("http://x@qpay.midmаn.example:8080/");
  for (const said of [
    "It looks like Midman",
    "a bank's or QPay's",
    "before the @ sign",
    "isn't encrypted",
    "port",
  ])
    expect(visibleText(text)).toContain(said);
  expect(text).toContain("qpay.xn--midmn-7ve.example:8080");
});

test("an address that is not a website's is refused on the page, and nothing redirects", async () => {
  const bad = [
    "",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example",
    "/chat",
  ];
  for (const to of [...bad, "https://", "mailto:a@b.mn", `https://a.mn/${"x".repeat(9_000)}`]) {
    const reply = await away(to);
    expect([to.slice(0, 40), reply.status, reply.headers.get("location")]).toEqual([
      to.slice(0, 40),
      400,
      null,
    ]);
    expect(visibleText(reply.text)).toContain("This link can't be opened");
    expect(/(?:href|content)="[^"]*(?:evil|alert|a\.mn)/.test(reply.text)).toBe(false);
  }
  expect((await server.client().get("/away")).status).toBe(400);
});

test("returns to the room it was read in, and robots are excluded", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const page = (room: string) => seller.get(`/away?room=${room}&to=https%3A%2F%2Fa.mn%2F`);
  expect((await page(String(roomId))).text).toContain(`href="/chat/${roomId}"`);
  expect((await page("//evil.example")).text).toContain('href="/chat" class');
  expect((await server.client().get("/robots.txt")).text).toContain("Disallow: /away");
});

test("a member's link in a room leads to it, and no other scheme is a link", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  await seller.post(`/api/chat/rooms/${roomId}/messages`, {
    content: "https://evil.example/x javascript:alert(1)",
  });
  const { text } = await buyer.get(`/chat/${roomId}`);
  expect(text).toContain(`href="/away?room=${roomId}&amp;to=https%3A%2F%2Fevil.example%2Fx"`);
  expect(text).not.toContain('href="https://evil.example');
  expect(text).not.toContain('href="javascript:');
});
