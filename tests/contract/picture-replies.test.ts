import { beforeAll, expect, test } from "bun:test";
import { noisePicture } from "../support/hostile/hostile-pictures.ts";
import { makePdf } from "../support/hostile/pdfs.ts";
import { expectStatus, makeRoomPair, registerPerson } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { dataUrl, uploadImage } from "./images.fixture.ts";

/** Pictures and PDFs as replies, by the API and by the page's form. */

let server: SharedServer;
let pair: Awaited<ReturnType<typeof makeRoomPair>>;
let picture: Buffer;
let asked: { seq: number; quote: object };

beforeAll(async () => {
  server = await sharedServer();
  pair = await makeRoomPair(server);
  picture = await noisePicture(60, 40).jpeg().toBuffer();
  const said = expectStatus(await pair.seller.post(`${room()}/messages`, { content: "Show me" }), 201).body;
  const seq = Number(said.seq);
  asked = { seq, quote: { seq, senderId: pair.seller.id, type: "text", content: "Show me" } };
}, 240_000);

const room = () => `/api/chat/rooms/${pair.roomId}`;
const call = () => `${room()}/images`;
const latest = async (count: number) =>
  (await pair.seller.get(`${room()}/messages`)).list.slice(-count) as Record<string, unknown>[];

test("a picture and a PDF keep the quote, by a data URL and by a form, and when they are sent again", async () => {
  for (const [bytes, type] of [
    [picture, "image/jpeg"],
    [makePdf(), "application/pdf"],
  ] as const) {
    const clientId = crypto.randomUUID();
    const json = { imageData: dataUrl(bytes, type), clientId, replyTo: asked.seq };
    const sent = expectStatus(await pair.buyer.post(call(), json), 201);
    expect(sent.body.replyTo).toEqual(asked.quote);
    expect((await latest(1))[0]).toEqual(sent.body);
    const fields = { clientId, replyTo: String(asked.seq) };
    const form = await uploadImage(`${server.url}${call()}`, pair.buyer, bytes, fields);
    expect([form.status, form.body]).toEqual([201, sent.body]);
    const other = await pair.buyer.post(call(), { ...json, replyTo: null });
    expect([other.status, other.body.code]).toEqual([409, "CLIENT_ID_REUSED"]);
  }
});

test("a reply to another room's message, a notice or none is refused, and leaves no message", async () => {
  const other = await makeRoomPair(server);
  let elsewhere = 0;
  for (let n = 0; n < 12; n++) {
    const said = await other.seller.post(`/api/chat/rooms/${other.roomId}/messages`, {
      content: "elsewhere",
    });
    elsewhere = Number(expectStatus(said, 201).body.seq);
  }
  const before = await latest(1);
  for (const replyTo of [elsewhere, 1, 0, "x"]) {
    const refused = await pair.buyer.post(call(), { imageData: dataUrl(picture), replyTo });
    expect([replyTo, refused.status, refused.body]).toEqual([
      replyTo,
      422,
      expect.objectContaining({ code: "VALIDATION", fields: { replyTo: [expect.any(String)] } }),
    ]);
  }
  expect(await latest(1)).toEqual(before);
  const stranger = await registerPerson(server);
  const outside = await stranger.post(call(), { imageData: dataUrl(picture), replyTo: asked.seq });
  expect([outside.status, outside.body.code]).toEqual([404, "CHAT_ROOM_NOT_FOUND"]);
});

const postForm = async (files: Uint8Array[], clientId = crypto.randomUUID()) => {
  const form = new FormData();
  form.set("form", "image");
  form.set("clientId", clientId);
  form.set("caption", "");
  form.set("replyTo", String(asked.seq));
  for (const bytes of files) form.append("image", new File([new Uint8Array(bytes)], "a"));
  const headers = { Cookie: pair.buyer.cookies(), Accept: "text/html" };
  const path = `${server.url}/chat/${pair.roomId}?reply=${asked.seq}`;
  const reply = await fetch(path, { method: "POST", body: form, headers, redirect: "manual" });
  return { status: reply.status, text: await reply.text() };
};

test("the page's form gives the quote to the first of several files, and once however often it is posted", async () => {
  const clientId = crypto.randomUUID();
  const files = [picture, makePdf()];
  expect((await postForm(files, clientId)).status).toBe(303);
  const sent = await latest(2);
  expect(sent.map(({ replyTo }) => replyTo)).toEqual([asked.quote, undefined]);
  expect((await postForm(files, clientId)).status).toBe(303);
  expect(await latest(2)).toEqual(sent);
});

test("after a first file that cannot be sent, the next one carries the quote, and the form still asks for it", async () => {
  const { status, text } = await postForm([Buffer.from("no picture"), picture]);
  expect(status).toBe(422);
  expect((await latest(1))[0]).toMatchObject({ type: "image", replyTo: asked.quote });
  const form = text.slice(text.indexOf('name="form" value="image"'));
  expect(form.slice(0, form.indexOf("</form>"))).toContain(`name="replyTo" value="${asked.seq}"`);
});
