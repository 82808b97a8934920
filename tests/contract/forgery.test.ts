import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import {
  forgedFields,
  forgedTexts,
  forgedTypes,
  unprintableTexts,
} from "../support/hostile/forged-messages.ts";
import { postForm } from "../support/pages/post-form.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import type { Body } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** Whatever a member types, through every door: it is a member's text, and no notice of Midman's. */

let server: SharedServer;
let deal: ServerTrade;
let forger: Person;
/** What Midman itself has said in the room, before anybody forged anything. */
let said: string[];

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  deal = await openPaidTrade(server);
  forger = deal.buyer;
  said = (await heard()).filter(({ senderId }) => senderId === null).map(({ content }) => String(content));
}, 240_000);

afterAll(() => disconnectDatabase());

const at = () => `/api/chat/rooms/${deal.roomId}/messages`;

/** The whole conversation, as the other side reads it. */
async function heard(): Promise<Body[]> {
  const all: Body[] = [];
  for (let after = 0; ; after = Number(all.at(-1)?.seq)) {
    const { list } = expectStatus(await deal.seller.get(`${at()}?after=${after}&limit=200`), 200);
    all.push(...list);
    if (list.length < 200) return all;
  }
}

/** No more has been said by Midman, and what came from the member is text, or a picture with one. */
async function onlyText(): Promise<Body[]> {
  const all = await heard();
  const official = all.filter(
    (message) =>
      message.senderId === null || "notice" in message || !["text", "image"].includes(String(message.type)),
  );
  expect(official.map(({ content }) => content)).toEqual(said);
  const [row] = await db().execute<{ count: string }>(sql`
    SELECT count(*) FROM rooms.messages WHERE room_id = ${deal.roomId}
      AND (sender_id IS NULL OR code IS NOT NULL OR params IS NOT NULL OR type NOT IN ('text', 'image'))`);
  expect(Number(row?.count)).toBe(said.length);
  return all.filter(({ senderId }) => senderId === forger.id);
}

/** The texts of all notices in a page's HTML, and how many elements look like one. */
async function noticesIn(html: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on("[data-notice]", {
    element: () => void found.push(""),
    text: ({ text }) => void found.push(`${found.pop() ?? ""}${text}`),
  });
  await rewriter.transform(new Response(html)).text();
  return found;
}

describe("over the API", () => {
  test("every notice in both languages, in every spelling, is stored as what a member wrote", async () => {
    const texts = forgedTexts();
    expect(texts.length).toBeGreaterThan(120);
    for (const content of texts) {
      const { body } = expectStatus(await forger.post(at(), { content, type: "text" }), 201);
      expect([body.type, body.senderId, "notice" in body]).toEqual(["text", forger.id, false]);
    }
    expect((await onlyText()).length).toBe(texts.length);
  }, 60_000);

  test("a message of the server's type is refused, and so are unprintable characters", async () => {
    const before = (await onlyText()).length;
    for (const type of forgedTypes) {
      const { status } = await forger.post(at(), { content: "Payment confirmed", type });
      expect([type, status]).toEqual([type, 422]);
    }
    for (const content of unprintableTexts) {
      for (const given of [content, JSON.stringify({ content })]) {
        expect([given, (await forger.post(at(), { content: given })).status]).toEqual([given, 422]);
      }
    }
    expect((await onlyText()).length).toBe(before);
  });

  test("fields of the server's own messages are ignored", async () => {
    for (const fields of forgedFields) {
      const { body } = expectStatus(
        await forger.post(at(), { ...fields, content: "Payment confirmed" }),
        201,
      );
      expect([body.type, body.senderId, body.imageUrl, "notice" in body]).toEqual([
        "text",
        forger.id,
        null,
        false,
      ]);
    }
    await onlyText();
  });

  test("the transaction's own call for messages accepts no more than the room's", async () => {
    const path = `/api/transactions/${deal.id}/messages`;
    const content = '{"content":"Payment confirmed","type":"system"}';
    expect((await forger.post(path, { content, type: "system" })).status).toBe(422);
    const { body } = expectStatus(
      await forger.post(path, { content, senderId: null, code: "paymentConfirmed" }),
      200,
      201,
    );
    expect([body.type, body.senderId, "notice" in body]).toEqual(["text", forger.id, false]);
    await onlyText();
  });
});

type Frame = { type: string; clientId: string; payload: object };

/** Sends frames over a socket of their own; answers what each was answered with, in their order. */
async function spoken(frames: Frame[]): Promise<Array<string | undefined>> {
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const url = `${server.url.replace("http", "ws")}/ws?roomId=${deal.roomId}&userId=${forger.id}`;
  const socket = new Socket(url, { headers: { cookie: forger.cookies(), origin: server.url } });
  const answers = new Map<string, string>();
  const done = new Promise<void>((resolve) => {
    socket.onopen = () => frames.map((frame) => socket.send(JSON.stringify(frame)));
    socket.onclose = () => resolve();
    socket.onmessage = ({ data }) => {
      const { type, clientId } = JSON.parse(String(data)) as { type: string; clientId?: string };
      if (clientId !== undefined && (type === "ack" || type === "refused")) answers.set(clientId, type);
      if (answers.size === frames.length) socket.close();
    };
  });
  await done;
  return frames.map(({ clientId }) => answers.get(clientId));
}

test("over the socket: frames of the server's types are refused, and what is written stays text", async () => {
  const content = forgedTexts()[0] ?? "";
  const frame = (type: string, payload: object, more: object = {}) => ({
    ...more,
    type,
    clientId: crypto.randomUUID(),
    payload,
  });
  const kinds = [
    "system",
    "payment",
    "payment_qr",
    "notice",
    "transaction_confirmation",
    "user_join",
    "image",
  ];
  for (const kind of kinds) {
    expect([kind, await spoken([frame(kind, { content, type: kind })])]).toEqual([kind, ["refused"]]);
  }
  for (const type of forgedTypes) {
    expect([type, await spoken([frame("chat", { content, type })])]).toEqual([type, ["refused"]]);
  }
  const before = (await onlyText()).length;
  const taken = forgedFields.map((fields) => frame("chat", { ...fields, content, type: "text" }, fields));
  expect(await spoken(taken)).toEqual(taken.map(() => "ack"));
  expect((await onlyText()).length).toBe(before + taken.length);
}, 30_000);

test("with a picture: a caption stays a caption, in its sender's message", async () => {
  const pixel = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#15652f" } })
    .png()
    .toBuffer();
  const imageData = `data:image/png;base64,${pixel.toString("base64")}`;
  const forged = forgedTexts().filter((said) => said.length <= 400 && /Midman|joined/.test(said));
  for (const caption of [...forged.slice(0, 6), '{"content":"Payment confirmed","type":"system"}']) {
    const given = { imageData, caption, type: "system", senderId: null, code: "paymentConfirmed" };
    const { body } = expectStatus(await forger.post(`/api/chat/rooms/${deal.roomId}/images`, given), 201);
    expect([body.type, body.senderId, "notice" in body]).toEqual(["image", forger.id, false]);
  }
  const official = (await heard()).filter(
    ({ senderId }) => senderId !== forger.id && senderId !== deal.seller.id,
  );
  expect(official.map(({ content }) => content)).toEqual(said);
}, 30_000);

test("by the page's form: text, whatever other fields are sent", async () => {
  const before = (await onlyText()).length;
  const fields = { form: "message", content: "Payment confirmed", clientId: crypto.randomUUID() };
  expectStatus(
    await postForm(forger, paths.room(deal.roomId), { ...fields, code: "paymentConfirmed", senderId: "" }),
    303,
  );
  const again = { ...fields, clientId: crypto.randomUUID() };
  expectStatus(
    await postForm(forger, paths.transaction(deal.id), { ...again, notice: "paymentConfirmed" }),
    303,
  );
  const refused = await postForm(forger, paths.room(deal.roomId), { ...again, type: "system" });
  expect(refused.status).toBe(422);
  expect((await onlyText()).length).toBe(before + 2);
});

test("no page shows any of it as a notice, and each of Midman's own has its code", async () => {
  const { transactionCode } = expectStatus(await deal.seller.get(`/api/transactions/${deal.id}`), 200).body;
  const last = Number((await heard()).at(-1)?.seq) + 1;
  for (const page of [paths.room(deal.roomId), paths.transaction(deal.id)]) {
    const drawn: string[] = [];
    for (let before = last; before > 1; ) {
      const { text } = expectStatus(await deal.seller.get(`${page}?before=${before}`), 200);
      drawn.unshift(...(await noticesIn(text)));
      before = Number(/href="[^"]*\?before=(\d+)"/.exec(text)?.[1] ?? 1);
    }
    expect(drawn.length).toBe(said.filter((one) => !one.startsWith("{")).length);
    for (const notice of drawn) {
      expect(notice).toContain(String(transactionCode));
      expect(notice).not.toMatch(/987,654|Zolboo/);
    }
  }
}, 60_000);

describe("names", () => {
  test.each([
    ...["Midman", "Мидмаn", "Payment confirmed", "Админ", "Bat ✅", "Mid\u200bman", "\u202eBat", "Miᵭman"],
    ...["Money received 55,000₮. The seller can hand over now", "Мөнгө хүлээн авлаа", "Seller", "Арбитр"],
  ])("nobody can choose the name %j", async (displayName) => {
    const username = `forger${crypto.randomUUID().slice(0, 8)}`;
    const account = {
      username,
      password: "a long enough one",
      displayName,
      email: `${username}@example.mn`,
    };
    const { status, body } = await server
      .client()
      .post("/api/auth/register", { ...account, avatarInitials: "" });
    expect([status, Object.keys(body.fields)]).toEqual([422, ["displayName"]]);
  });

  test("someone who already has it is not in any notice, is shown neutrally, and a room's name stays in its heading", async () => {
    const name = "Midman” ✅ Payment confirmed: 987,654 ₮ “";
    const [host, guest] = [await registerPerson(server), await registerPerson(server)];
    const title = "Payment confirmed: Midman holds 987,654 ₮";
    for (const forged of [title, "ᶆidman: 55,000₮ held. Hand over now"]) {
      expectStatus(await host.post("/api/chat/rooms", { name: forged }), 422);
    }
    const room = expectStatus(await host.post("/api/chat/rooms", { name: "A room of before" }), 201).body;
    await db().execute(sql`UPDATE rooms.rooms SET name = ${title} WHERE id = ${room.id}`);
    expectStatus(await guest.post("/api/chat/join", { code: room.inviteCode }), 200);
    expectStatus(
      await guest.post(`/api/chat/rooms/${room.id}/messages`, { content: "joined the chat" }),
      201,
    );
    const { list } = expectStatus(await host.get(`/api/chat/rooms/${room.id}/messages`), 200);
    const joined = "The buyer joined the chat";
    expect(list.filter(({ senderId }) => senderId === null).map(({ content }) => content)).toEqual([joined]);
    await db().execute(sql`UPDATE identity.users SET display_name = ${name} WHERE id = ${guest.id}`);
    const page = expectStatus(await host.get(paths.room(room.id)), 200).text;
    const drawn = await noticesIn(page);
    expect(drawn.length).toBe(1);
    expect(drawn[0]).toContain(joined);
    expect(drawn[0]).toContain(`Name: “User ${guest.id}”`);
    expect(page).not.toContain("Payment confirmed: 987,654");
    // Nothing that would show the name is done until another was chosen.
    const said = await guest.post(`/api/chat/rooms/${room.id}/messages`, { content: "Hello" });
    expect([said.status, said.body.code]).toEqual([403, "NAME_CHANGE_REQUIRED"]);
  });

  test("an earlier name that reads like a notice is quoted behind a label, and cannot end its quotes", async () => {
    const [host, guest] = [await registerPerson(server), await registerPerson(server)];
    const room = expectStatus(await host.post("/api/chat/rooms", { name: "A room of before" }), 201).body;
    expectStatus(await guest.post("/api/chat/join", { code: room.inviteCode }), 200);
    const name = "Bat” Money received, hand over «now";
    await db().execute(sql`UPDATE identity.users SET display_name = ${name} WHERE id = ${guest.id}`);
    const [drawn] = await noticesIn(expectStatus(await host.get(paths.room(room.id)), 200).text);
    expect(drawn).toEndWith("Name: “Bat’ Money received, hand over ’now”");
    expectStatus(await guest.post(`/api/chat/rooms/${room.id}/messages`, { content: "Hello" }), 201);
  });
});
