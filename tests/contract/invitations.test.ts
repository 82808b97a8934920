import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** An invitation is a page: a link that somebody else sent seats nobody, and joining is one press. */

setDefaultTimeout(120_000);

let server: SharedServer;
let host: Person;

beforeAll(async () => {
  server = await sharedServer();
  host = await registerPerson(server, "Zolboo Host");
}, 120_000);

async function opened(): Promise<{ id: number; code: string }> {
  const { id } = expectStatus(await host.post("/api/chat/rooms", { name: "Room seven" }), 201).body;
  const invite = expectStatus(await host.post(`/api/chat/rooms/${id}/invite`), 200).body;
  expect(invite.inviteLink).toBe(`${server.url}/i/${invite.inviteCode}`);
  return { id, code: invite.inviteCode };
}

const location = (reply: Reply) => reply.headers.get("location");
const seatedIn = async (who: Client, id: number) => (await who.get(`/api/chat/rooms/${id}`)).status === 200;
const press = (who: Client, path: string) =>
  who.send("POST", path, "", { "Content-Type": "application/x-www-form-urlencoded" });

const browser = { "User-Agent": "Mozilla/5.0 (Linux; Android 14) Chrome/131.0" };
const foreign: Record<string, Record<string, string>> = {
  "another site": { ...browser, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document" },
  "a page of ours, on which members write": {
    ...browser,
    "Sec-Fetch-Site": "same-origin",
    "Sec-Fetch-Dest": "document",
  },
  "a sibling of ours": { ...browser, "Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "document" },
  "an old browser, from another site": { ...browser, Referer: "https://evil.example/" },
  "an old browser that does not say whence": browser,
  "a program that says whence": { Referer: "https://evil.example/" },
};

test.each(Object.entries(foreign))(
  "a link from %s shows the page, and one button joins",
  async (_, headers) => {
    const { id, code } = await opened();
    const guest = await registerPerson(server);
    const arrived = await guest.send("GET", `/chat?invite=${code}`, undefined, headers);
    expect([arrived.status, location(arrived)]).toEqual([303, `/i/${code}`]);
    const page = await guest.send("GET", `/i/${code}`, undefined, headers);
    expect(page.status).toBe(200);
    expect(await seatedIn(guest, id)).toBe(false);
    const joined = await press(guest, `/i/${code}`);
    expect([joined.status, location(joined)]).toEqual([303, `/chat/${id}`]);
    expect(await seatedIn(guest, id)).toBe(true);
  },
);

test("typed, or requested by a program, it joins immediately; an old browser on Midman's own page does not", async () => {
  for (const headers of [{ ...browser, "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" }, {}]) {
    const { id, code } = await opened();
    const guest = await registerPerson(server);
    const reply = await guest.send("GET", `/chat?invite=${code}`, undefined, headers);
    expect([reply.status, location(reply)]).toEqual([303, `/chat/${id}`]);
    expect(await seatedIn(guest, id)).toBe(true);
  }
  for (const headers of [
    { ...browser, Referer: `${server.url}/chat/7` },
    { Referer: `${server.url}/chat/7` },
  ]) {
    const { id, code } = await opened();
    const guest = await registerPerson(server);
    const reply = await guest.send("GET", `/chat?invite=${code}`, undefined, headers);
    expect([reply.status, location(reply)]).toEqual([303, `/i/${code}`]);
    expect(await seatedIn(guest, id)).toBe(false);
  }
});

test("an address that a browser prefetches while it is typed joins nobody", async () => {
  const { id, code } = await opened();
  const guest = await registerPerson(server);
  const ahead = { ...browser, "Sec-Fetch-Site": "none", "Sec-Purpose": "prefetch;prerender" };
  const reply = await guest.send("GET", `/chat?invite=${code}`, undefined, ahead);
  expect([reply.status, location(reply)]).toEqual([303, `/i/${code}`]);
  expect(await seatedIn(guest, id)).toBe(false);
});

test("a member's message with such a link, followed in the room, leads to the invitation", async () => {
  const { id, code } = await opened();
  const { buyer, seller, roomId } = await makeRoomPair(server);
  const link = `${server.url}/chat?invite=${code}`;
  expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: link, type: "text" }), 201);
  expect((await buyer.get(`/chat/${roomId}`)).text).toContain(`href="${link}"`);
  const own = { ...browser, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document" };
  const pressed = await buyer.send("GET", `/chat?invite=${code}`, undefined, own);
  expect(location(pressed)).toBe(`/i/${code}`);
  expect(await seatedIn(buyer, id)).toBe(false);
});

test("it shows who invites and for which role, also as a preview for messengers, and nothing else of them or the room", async () => {
  const { code } = await opened();
  for (const who of [server.client(), await registerPerson(server)]) {
    const { status, text, headers } = await who.get(`/i/${code}`);
    expect(status).toBe(200);
    expect(text).toContain("Zolboo Host");
    expect(text).toMatch(/Your role<\/dt><dd[^>]*>Buyer/);
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).toContain('property="og:title" content="An invite to trade"');
    expect(text).toContain(`property="og:url" content="${server.url}/i/${code}"`);
    expect(text).toContain(`property="og:image" content="${server.url}/card-en.png"`);
    expect(text).toContain('property="og:locale" content="en_US"');
    expect(/property="og:description" content="([^"]*)"/.exec(text)?.[1]).toBe(
      "Invited by: Zolboo Host. Your role: Buyer. Midman holds the money until you both confirm.",
    );
    for (const hidden of [host.email, host.username, "Room seven"]) expect(text).not.toContain(hidden);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("the code survives signing up and signing in; a stranger's link to the sign-in leads to the page too", async () => {
  const { id, code } = await opened();
  const guest = server.client();
  const page = (await guest.get(`/i/${code}`)).text.replaceAll("&amp;", "&");
  const to = `next=${encodeURIComponent(`/i/${code}`)}`;
  expect(page).toContain(`href="/?tab=register&${to}#auth"`);
  expect(page).toContain(`href="/?${to}#auth"`);
  expect(location(await press(guest, `/i/${code}`))).toBe(`/?${to}`);
  const username = `guest${crypto.randomUUID().slice(0, 8)}`;
  const body = new URLSearchParams({
    ...{ form: "register", username, displayName: "Guest", email: `${username}@example.mn` },
    password: "a long password",
  });
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const entered = await guest.send("POST", `/?tab=register&${to}`, body.toString(), form);
  expect(location(entered)).toBe(`/i/${code}`);
  expect(await seatedIn(guest, id)).toBe(false);
  expect(location(await press(guest, `/i/${code}`))).toBe(`/chat/${id}`);

  const typed = location(await server.client().get(`/chat?invite=${code}`));
  const panel = (await server.client().get(typed ?? "")).text.replaceAll("&amp;", "&");
  expect(panel).toContain(`/?tab=register&${to}#auth`);
});

test("no form of Midman's that another site links to joins a room", async () => {
  const next = (code: string) => encodeURIComponent(`/chat?invite=${code}`);
  for (const at of ["/", "/settings/confirm", "/admin/login"]) {
    const { id, code } = await opened();
    const guest = await registerPerson(server);
    const { username, password } = guest;
    const body = new URLSearchParams({ form: "login", username, password });
    const form = { ...browser, "Content-Type": "application/x-www-form-urlencoded" };
    const own = { ...form, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document" };
    const done = await guest.send("POST", `${at}?next=${next(code)}`, body.toString(), own);
    if (at !== "/admin/login") expect([at, done.status, location(done)]).toEqual([at, 303, `/i/${code}`]);
    await guest.send("GET", location(done) ?? "/", undefined, own);
    expect([at, await seatedIn(guest, id)]).toEqual([at, false]);
  }
});

test("an old code, a full room, one's own and a second visit each have their text", async () => {
  const { id, code } = await opened();
  const guest = await registerPerson(server);
  const own = await host.get(`/i/${code}`);
  expect(own.text).toContain("This is your own invite");
  expect(own.text).toContain(`href="/chat/${id}"`);
  expectStatus(await press(guest, `/i/${code}`), 303);
  const again = await guest.get(`/i/${code}`);
  expect(again.text).toContain("already in this room");
  expect(again.text).toContain(`href="/chat/${id}"`);
  const third = await registerPerson(server);
  const full = await third.get(`/i/${code}`);
  expect([full.status, full.text.includes("This room is full")]).toEqual([409, true]);
  expect(full.text).not.toContain("Zolboo Host");
  expect(location(await press(third, `/i/${code}`))).toBe(`/i/${code}`);
  expect(await seatedIn(third, id)).toBe(false);
  const renewed = expectStatus(await host.post(`/api/chat/rooms/${id}/invite/renew`), 200).body;
  expect(renewed.inviteCode).not.toBe(code);
  for (const old of [code, "AAAAAAAAAA", "%00", "x".repeat(500), "ab"]) {
    const page = await third.get(`/i/${old}`);
    expect([old, page.status, page.text.includes("doesn&#x27;t work")]).toEqual([old, 404, true]);
  }
});

test("looking up codes is throttled like joining", async () => {
  const who = await registerPerson(server);
  const strict = await startServer({
    databaseUrl: server.databaseUrl,
    dataDir: server.dataDir,
    environment: { THROTTLE_FACTOR: "0.1" },
  });
  try {
    const there = strict.client({ Cookie: who.cookies() });
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await there.get("/i/AAAAAAAAAA")).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
    const refused = await there.get("/i/AAAAAAAAAA");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(strict.output()).not.toContain("AAAAAAAAAA");
  } finally {
    await strict.kill();
  }
});

test("until the payment is confirmed only the first letter and domain of the other's email are shown", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const emailsFor = async (who: Client) => {
    const { body } = expectStatus(await who.get(`/api/chat/rooms/${roomId}`), 200);
    const people = body.participants as Array<{ id: number; email: string }>;
    return new Map(people.map(({ id, email }) => [id, email]));
  };
  const seen = await emailsFor(buyer);
  expect(seen.get(seller.id)).toBe("u•••@example.mn");
  expect(seen.get(buyer.id)).toBe(buyer.email);
  for (const path of [
    `/api/chat/rooms/${roomId}/participants`,
    "/api/chat/rooms",
    `/chat/${roomId}`,
    "/chat",
  ]) {
    expect([path, (await buyer.get(path)).text.includes(seller.email)]).toEqual([path, false]);
  }
});
