import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { requestPayment } from "../support/trades/server-trades.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The list of rooms and reading marks as a browser without scripts has them. */

setDefaultTimeout(60_000);
let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
}, 240_000);

const words = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** The row of a room, as it is read, and the addresses it leads to. */
function rowOf(html: string, roomId: number) {
  const row = new RegExp(`<li id="room-${roomId}".*?</li>`, "s").exec(html)?.[0] ?? "";
  const links = [...row.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return { text: words(row), links };
}

const names = (html: string) =>
  [...html.matchAll(/<li id="room-.*?<h3.*?>.*?<a [^>]*>(.*?)<\/a>/gs)].map(([, name = ""]) => name);

const say = async (by: Person, roomId: number, content: string) =>
  expectStatus(await by.post(`/api/chat/rooms/${roomId}/messages`, { content, type: "text" }), 201);

const post = (by: Person, path: string, fields: Record<string, string>) =>
  by.send("POST", path, new URLSearchParams(fields).toString(), {
    "Content-Type": "application/x-www-form-urlencoded",
  });

async function roomsOf(by: Person, count: number): Promise<number[]> {
  const ids = [];
  for (let n = 1; n <= count; n++) {
    ids.push(expectStatus(await by.post("/api/chat/rooms", { name: `Room no. ${n}.` }), 201).body.id);
  }
  return ids;
}

test("a room's description is in its page's menu for both members; without one there is nothing", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const description = "Genshin account, level 60 <with> both emails";
  const asked = { name: "With a description", description };
  const room = expectStatus(await seller.post("/api/chat/rooms", asked), 201).body;
  const alone = expectStatus(await seller.get(`/chat/${room.id}`), 200).text;
  expect(alone).toContain(`data-room-description="true">Genshin account, level 60 &lt;with&gt; both emails<`);
  expectStatus(await buyer.post("/api/chat/join", { code: room.inviteCode }), 200);
  for (const who of [seller, buyer]) {
    for (const path of [`/chat/${room.id}`, `/chat/${room.id}/panel`]) {
      const [, menu = ""] = expectStatus(await who.get(path), 200).text.split('id="room-menu"');
      expect(visibleText(menu.split("</details>")[0] ?? "")).toContain(description);
    }
    expect(expectStatus(await who.get(`/chat/${roomId}`), 200).text).not.toContain("data-room-description");
  }
});

describe("a room's row", () => {
  test("shows who is there, the last message and the unread count; the room's page resets it", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    await say(buyer, roomId, "Is it still there?");
    await say(buyer, roomId, "Hello?");
    const before = rowOf((await seller.get("/chat")).text, roomId);
    expect(before.text).toContain("Buyer Two · Buyer");
    expect(before.text).toContain("3 unread messages");
    // A page that is fetched in case somebody opens it reads nothing, and neither do older messages alone.
    await seller.send("GET", `/chat/${roomId}`, undefined, { "Sec-Purpose": "prefetch" });
    await seller.get(`/chat/${roomId}?before=2`);
    expect(rowOf((await seller.get("/chat")).text, roomId).text).toContain("3 unread messages");
    await seller.get(`/chat/${roomId}`);
    const read = rowOf((await seller.get("/chat")).text, roomId);
    expect(read.text).not.toContain("unread");
    const there = expectStatus(await buyer.get(`/api/chat/rooms/${roomId}/participants`), 200).list;
    expect(there.find(({ id }) => id === seller.id)?.readSeq).toBe(3);
  });

  test("its page counts as a visit without a script, to the minute, unless a browser fetches it in advance", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const seen = async () =>
      expectStatus(await seller.get(`/api/chat/rooms/${roomId}/participants`), 200).list.find(
        ({ id }) => id === buyer.id,
      )?.lastSeenAt;
    await buyer.send("GET", `/chat/${roomId}`, undefined, { "Sec-Purpose": "prefetch" });
    await buyer.get("/chat");
    expect(await seen()).toBeNull();
    await buyer.get(`/chat/${roomId}`);
    await waitUntil(async () => (await seen()) !== null);
    expect(await seen()).toMatch(/T\d\d:\d\d:00\.000Z$/);
    expect((await seller.get(`/chat/${roomId}`)).text).toContain("last seen");
  });

  test("shows what the other person wrote last, where it is not the reader's turn", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    await say(seller, roomId, "Yes, it is.");
    expect(rowOf((await buyer.get("/chat")).text, roomId).text).toContain("Seller One: Yes, it is.");
    expect(rowOf((await seller.get("/chat")).text, roomId).text).not.toContain("Yes, it is.");
  });

  test("shows whose turn it is, for what and how long, with the sum and the state of the money", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const request = rowOf((await seller.get("/chat")).text, roomId);
    expect(request.text).toContain("Request the payment");
    expect(request.links).toContain(`/chat/${roomId}`);
    expect(rowOf((await buyer.get("/chat")).text, roomId).text).not.toContain("Request the payment");
    const deal = await requestPayment(server);
    const pays = rowOf((await deal.buyer.get("/chat")).text, deal.roomId);
    expect(pays.text).toContain("Your turn: pay");
    expect(pays.text).toContain("110,000 ₮");
    expect(pays.text).toMatch(/(1[01]\d min) \1 left/);
    expect(pays.text).toContain("Seller One");
    expect(pays.text).toContain("Unpaid");
    const waits = rowOf((await deal.seller.get("/chat")).text, deal.roomId);
    expect(waits.text).toContain("Buyer pays 110,000 ₮");
    expect(waits.text).toContain("You&#x27;ll receive 100,000 ₮");
  });

  test("offers an invite while a place is free, once, and deletion to the creator", async () => {
    const person = await registerPerson(server);
    const [id = 0] = await roomsOf(person, 1);
    const own = rowOf((await person.get("/chat")).text, id);
    expect(own.links.filter((href) => href.includes("dialog="))).toEqual([
      `/chat?dialog=invite&room=${id}`,
      `/chat/${id}?dialog=leave`,
      `/chat?dialog=delete&room=${id}`,
    ]);
    expect(own.text).toContain("Created ");
    // Over the page of the list that one is on.
    const found = rowOf((await person.get("/chat?q=room")).text, id);
    expect(found.links).toContain(`/chat?q=room&dialog=invite&room=${id}`);
    const { buyer, roomId } = await makeRoomPair(server);
    const theirs = rowOf((await buyer.get("/chat")).text, roomId);
    expect(theirs.links.filter((href) => href.includes("dialog="))).toEqual([`/chat/${roomId}?dialog=leave`]);
  });

  test("stands below a heading that says whose turn it is, with the number of rooms", async () => {
    const { seller, buyer, roomId } = await requestPayment(server);
    const bare = expectStatus(await seller.post("/api/chat/rooms", { name: "A room alone" }), 201).body.id;
    const groups = ({ text }: { text: string }) =>
      [...text.matchAll(/data-group="(\w+)".*?<\/section>/gs)].map(([part, group]) => [
        group,
        ...[...part.matchAll(/id="room-(\d+)"/g)].map(([, id]) => Number(id)),
      ]);
    expect(groups(await seller.get("/chat"))).toEqual([
      ["yours", bare],
      ["waiting", roomId],
    ]);
    expect(groups(await buyer.get("/chat"))).toEqual([["yours", roomId]]);
    expect(words((await buyer.get("/chat")).text)).toMatch(/Your turn · 1 /);
  });
});

describe("dialogs", () => {
  test("the invite has the code, the link and its QR code; renewing makes another", async () => {
    const person = await registerPerson(server);
    const [id = 0] = await roomsOf(person, 1);
    const code = async (path: string) => /\/i\/([A-Z2-7]{10})/.exec((await person.get(path)).text)?.[1];
    const first = await code(`/chat?dialog=invite&room=${id}`);
    expect((await person.get(`/chat?dialog=invite&room=${id}`)).text).toContain("data:image/png;base64,");
    // An empty room shows it by itself.
    expect(await code(`/chat/${id}`)).toBe(first);
    for (const [on, leads] of [
      ["list", `/chat?dialog=invite&room=${id}`],
      ["room", `/chat/${id}?dialog=invite`],
    ] as const) {
      const renewed = await post(person, "/chat", { form: "renew-invite", room: `${id}`, on });
      expect([renewed.status, renewed.headers.get("location")]).toEqual([303, leads]);
      expect(await code(leads)).not.toBe(first);
    }
    const { roomId, buyer } = await makeRoomPair(server);
    expect(await code(`/chat/${roomId}`)).toBeUndefined();
    expect((await buyer.get(`/chat/${roomId}`)).text).not.toContain("Invite the other person");
  });

  test("of a stranger's room do not exist, and change nothing", async () => {
    const { roomId, seller } = await makeRoomPair(server);
    const stranger = await registerPerson(server);
    for (const dialog of ["invite", "delete", "create&with"]) {
      const { status, text } = await stranger.get(
        `/chat?dialog=${dialog}&room=${roomId}`.replace("with&room", "with"),
      );
      expect(status).toBe(200);
      expect(text).not.toContain("A game account");
    }
    const invite = expectStatus(await seller.post(`/api/chat/rooms/${roomId}/invite`), 200).body.inviteCode;
    const renewed = await post(stranger, "/chat", { form: "renew-invite", room: `${roomId}`, on: "list" });
    expect([renewed.status, renewed.headers.get("location")]).toEqual([303, "/chat"]);
    expect(expectStatus(await seller.post(`/api/chat/rooms/${roomId}/invite`), 200).body.inviteCode).toBe(
      invite,
    );
  });

  test("deletion asks for confirmation, and shows the reason if the trade forbids it", async () => {
    const { seller, roomId } = await requestPayment(server);
    const kept = (await seller.get(`/chat?dialog=delete&room=${roomId}`)).text;
    expect(words(kept)).toContain("A transaction is still in progress and has to end first");
    expect(kept).not.toContain('value="delete"');
    const person = await registerPerson(server);
    const [id = 0] = await roomsOf(person, 1);
    expect(words((await person.get(`/chat?dialog=delete&room=${id}`)).text)).toContain(
      "can&#x27;t be undone",
    );
    await post(person, "/chat", { form: "delete", room: `${id}` });
    expect(names((await person.get("/chat")).text)).toEqual([]);
  });

  test("a new room with the same person starts with the previous name and role", async () => {
    const { buyer, roomId } = await makeRoomPair(server);
    const opening = `/chat?dialog=create&with=${roomId}`;
    const { text } = await buyer.get(opening);
    expect(words(text)).toContain("Seller One can join it with the invite you send next");
    expect(text).toContain('value="A game account"');
    expect(/<input[^>]*value="buyer"[^>]*>/.exec(text)?.[0]).toContain("checked");
    // The new room says that the other person is yet to come, and offers the invite at once.
    const opened = await post(buyer, opening, { form: "create", name: "A second trade", role: "buyer" });
    const leads = opened.headers.get("location") ?? "";
    expect(leads).toMatch(new RegExp(`^/chat/\\d+\\?with=${roomId}$`));
    const made = (await buyer.get(leads)).text;
    expect(words(made)).toContain(
      "Seller One isn&#x27;t in this room yet. Send them the link or code below.",
    );
    expect(made).toContain("/i/");
    const strangers = (await makeRoomPair(server)).roomId;
    expect((await buyer.get(leads.replace(`with=${roomId}`, `with=${strangers}`))).text).not.toContain(
      "in this room yet",
    );
  });
});

describe("many rooms", () => {
  test("are paged by links without gaps, and found by what is typed", async () => {
    const person = await registerPerson(server);
    await roomsOf(person, 27);
    const first = (await person.get("/chat")).text;
    expect(names(first)).toEqual(Array.from({ length: 24 }, (_, n) => `Room no. ${27 - n}.`));
    const older = /href="(\/chat\?before=[^"]*)"/.exec(first)?.[1] ?? "";
    const second = (await person.get(older)).text;
    expect(names(second)).toEqual(["Room no. 3.", "Room no. 2.", "Room no. 1."]);
    expect(words(second)).not.toContain("More rooms");
    const found = (await person.get("/chat?q=NO.+17.")).text;
    expect(names(found)).toEqual(["Room no. 17."]);
    expect(words((await person.get("/chat?q=nowhere")).text)).toContain("No room matches “nowhere”");
    for (const nonsense of ["before=x", "before=0-0", `q=${"x".repeat(500)}`, "before=%00", "q=%00"]) {
      expect([nonsense, (await person.get(`/chat?${nonsense}`)).status]).toEqual([nonsense, 200]);
    }
  });

  test("have a throttled search, and the list itself stays open", async () => {
    const paced = await startServer({
      databaseUrl: server.databaseUrl,
      environment: { THROTTLE_FACTOR: "1" },
    });
    try {
      const person = await registerPerson(paced);
      let page = await person.get("/chat?q=room");
      for (let tries = 0; page.status === 200 && tries < 100; tries++)
        page = await person.get("/chat?q=room");
      expect(page.status).toBe(429);
      expect(page.headers.get("Retry-After")).toMatch(/^[1-9]/);
      expect(words(page.text)).toContain("Please wait a little, then try again.");
      expect((await person.get("/chat")).status).toBe(200);
    } finally {
      await paced.stop();
    }
  });

  test("are found by their transaction's code", async () => {
    const { buyer, id, roomId } = await requestPayment(server);
    const { transactionCode } = expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body;
    const found = (await buyer.get(`/chat?q=${String(transactionCode).slice(0, 8).toLowerCase()}`)).text;
    expect(found).toContain(`id="room-${roomId}"`);
  });

  test("are all in the API, or in pages with a link to the next", async () => {
    const person = await registerPerson(server);
    await roomsOf(person, 5);
    const all = expectStatus(await person.get("/api/chat/rooms"), 200);
    expect(all.list).toHaveLength(5);
    expect(all.headers.get("link")).toBeNull();
    const page = expectStatus(await person.get("/api/chat/rooms?limit=3"), 200);
    const next = /^<(.*)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    const rest = expectStatus(await person.get(next), 200);
    expect([...page.list, ...rest.list].map(({ id }) => id)).toEqual(all.list.map(({ id }) => id));
    expect(rest.headers.get("link")).toBeNull();
    expect((await person.get("/api/chat/rooms?limit=101")).status).toBe(422);
    expect((await person.get("/api/chat/rooms?before=x")).status).toBe(422);
  });
});
