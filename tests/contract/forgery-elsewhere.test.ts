import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { paths } from "../../app/paths.ts";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { translateText } from "../../locales/index.ts";
import { makePdf } from "../support/hostile/pdfs.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Body } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** What a member types to look like Midman, in the places that show a message again: its author stands beside it everywhere. */

let server: Server;
let deal: ServerTrade;
let forger: Person;
let forged: Body;

const words = translateText("en", "notices.paymentConfirmed", { total: 987_654 }).replaceAll("\n", " ");
/** As `makeRoomPair` names the buyer. */
const author = "Buyer Two";
const client = () => server.client({ "Accept-Language": "en" });
const at = () => `/api/chat/rooms/${deal.roomId}`;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  deal = await openPaidTrade({ client });
  forger = deal.buyer;
  forged = expectStatus(await forger.post(`${at()}/messages`, { content: words }), 201).body;
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** The elements of a page that match, each as its text. */
async function textsOf(html: string, selector: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on(selector, {
    element: () => void found.push(""),
    text: ({ text }) => void found.push(`${found.pop() ?? ""}${text}`),
  });
  await rewriter.transform(new Response(html)).text();
  return found;
}

describe("a quote", () => {
  test("of what looks like a notice names the member who wrote it, and is no notice", async () => {
    const reply = { content: "See above", replyTo: forged.seq };
    const { body } = expectStatus(await forger.post(`${at()}/messages`, reply), 201);
    expect(body.replyTo).toMatchObject({ senderId: forger.id });
    const { text } = expectStatus(await deal.seller.get(paths.room(deal.roomId)), 200);
    for (const notice of await textsOf(text, "[data-notice]")) expect(notice).not.toContain("987,654");
    const [quote = ""] = (await textsOf(text, `a[href*="${forged.seq}"]`)).filter((one) =>
      one.includes("987,654"),
    );
    expect(quote).toStartWith(author);
  });

  test("of a true notice is refused", async () => {
    const { list } = expectStatus(await forger.get(`${at()}/messages`), 200);
    const notice = list.find(({ senderId }) => senderId === null);
    const reply = await forger.post(`${at()}/messages`, { content: "See above", replyTo: notice?.seq });
    expect(reply.status).toBe(422);
  });
});

test("a file has no name of its own: Midman names it by its number", async () => {
  const imageData = `data:application/pdf;base64,${makePdf().toString("base64")}`;
  const named = { imageData, caption: "", name: `${words}.pdf`, fileName: `${words}.pdf` };
  const { body } = expectStatus(await forger.post(`${at()}/images`, named), 201);
  expect(body).toMatchObject({ type: "image", senderId: forger.id });
  expect(JSON.stringify(body)).not.toContain("987,654");
});

test("in the list of rooms the last message stands behind its author's name", async () => {
  // The buyer has no step before the seller's request: their row shows the last message.
  const { seller, buyer, roomId } = await makeRoomPair({ client });
  expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: words }), 201);
  const { text } = expectStatus(await buyer.get("/chat/list"), 200);
  const said = visibleText(text).replaceAll(/\s+/g, " ");
  expect(said).toContain(`Seller One: ${words.slice(0, 40)}`);
});

test("a mail about the room repeats nothing that a member wrote there", async () => {
  const { list } = expectStatus(await server.client().get("/sandbox/mail.json"), 200);
  expect(list.length).toBeGreaterThan(0);
  for (const mail of list) {
    const { text } = expectStatus(await server.client().get(`/sandbox/mail/${mail.id}`), 200);
    expect(text).not.toContain("987,654");
  }
});

describe("an export", () => {
  test("of a person's own data has their words as theirs, and no notice", async () => {
    const { body } = expectStatus(await forger.get("/api/users/me/data"), 200);
    const { messages } = body as unknown as { messages: Array<{ type: string; content: string | null }> };
    expect(messages.filter(({ content }) => content === words)).toHaveLength(1);
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(["text", "image"]));
    const others = expectStatus(await deal.seller.get("/api/users/me/data"), 200);
    expect(others.text).not.toContain("987,654");
  });

  test("of the conversation for administrators names the author of each line that is not Midman's", async () => {
    const admin = await signInAdministrator(server);
    const { text } = expectStatus(await admin.get(paths.adminTranscript(deal.id)), 200);
    const typed = (await textsOf(text, "li[data-seq]")).filter((line) => line.includes("987,654"));
    expect(typed.length).toBeGreaterThanOrEqual(2);
    for (const line of typed) expect(line).toStartWith(author);
    const own = (await textsOf(text, "li[data-seq].border-khadag")).filter((line) =>
      line.includes("987,654"),
    );
    expect(own).toEqual([]);
  });
});
