import { beforeAll, expect, test } from "bun:test";
import { noisePicture } from "../support/hostile/hostile-pictures.ts";
import { actingPdfs, brokenPdfs, makePdf } from "../support/hostile/pdfs.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { requestPayment } from "../support/trades/server-trades.ts";
import { dataUrl, uploadImage } from "./images.fixture.ts";

/** PDFs in a room, as a browser and a program send and get them. */

let server: SharedServer;
let pair: Awaited<ReturnType<typeof makeRoomPair>>;
const pdf = makePdf();

beforeAll(async () => {
  server = await sharedServer();
  pair = await makeRoomPair(server);
}, 240_000);

const call = () => `/api/chat/rooms/${pair.roomId}/images`;
const send = (bytes: Uint8Array, more: object = {}) =>
  pair.buyer.post(call(), { imageData: dataUrl(bytes, "application/pdf"), ...more });
const see = (who: Person | null, path: string) =>
  fetch(`${server.url}${path}`, { redirect: "manual", headers: { ...(who && { Cookie: who.cookies() }) } });

type SentFile = { name: string; bytes: number; url: string; caption: string };

test("a PDF is a message with a file, by a data URL or a form, and only downloaded", async () => {
  const clientId = crypto.randomUUID();
  const sent = expectStatus(await send(pdf, { caption: "Receipt", clientId }), 201);
  const file = sent.body.file as SentFile;
  expect(sent.body).toMatchObject({ type: "image", content: "Receipt", imageUrl: null, clientId });
  expect(sent.body.image).toBeUndefined();
  expect(file).toEqual({
    name: expect.stringMatching(/^file-\d{4}-\d\d-\d\d-\d+\.pdf$/),
    bytes: pdf.length,
    url: expect.stringMatching(/^\/chat\/\d+\/images\/[0-9a-f-]{36}\?pdf=\d+$/),
    caption: "Receipt",
  });
  const form = await uploadImage(`${server.url}${call()}`, pair.buyer, pdf, { caption: "Receipt", clientId });
  expect([form.status, form.body]).toEqual([201, sent.body]);
  expect((await pair.seller.get(`/api/chat/rooms/${pair.roomId}/messages`)).list.at(-1)).toEqual(sent.body);
  expect(expectStatus(await send(pdf), 201).body.content).toBe("PDF shared");

  const reply = await see(pair.seller, file.url);
  expect(Buffer.from(await reply.arrayBuffer()).equals(pdf)).toBe(true);
  const headers = Object.fromEntries(reply.headers);
  expect(headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="${file.name}"`,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(headers["content-security-policy"]).toStartWith("sandbox; default-src 'none'");
});

test("nobody but the room's members gets it, and it has no small form", async () => {
  const { url } = expectStatus(await send(pdf), 201).body.file as SentFile;
  const stranger = await registerPerson(server);
  const other = await makeRoomPair(server);
  const id = url.slice(url.lastIndexOf("/") + 1);
  for (const [who, path] of [
    [stranger, url],
    [other.buyer, url],
    [other.buyer, `/chat/${other.roomId}/images/${id}`],
    [pair.buyer, `/chat/${pair.roomId}/images/${id.replace("?", "/small?")}`],
  ] as const) {
    const reply = await see(who, path);
    expect([path, reply.status]).toEqual([path, 404]);
    await reply.text();
  }
  expect((await see(null, url)).status).not.toBe(200);
});

test("what acts, is broken or too large is refused, and leaves no message", async () => {
  const before = (await pair.seller.get(`/api/chat/rooms/${pair.roomId}/messages`)).list.length;
  const acting = actingPdfs()[0]?.[1] ?? pdf;
  const broken = brokenPdfs()[0]?.[1] ?? pdf;
  const large = makePdf("", [`<<>>\nstream\n${" ".repeat(5 * 1024 * 1024)}\nendstream`]);
  for (const [bytes, status, code] of [
    [acting, 422, "FILE_UNSAFE"],
    [broken, 422, "FILE_UNREADABLE"],
    [large, 413, "FILE_TOO_LARGE"],
  ] as const) {
    const reply = await send(bytes);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  }
  expect((await pair.seller.get(`/api/chat/rooms/${pair.roomId}/messages`)).list).toHaveLength(before);
});

test("a picture in a PDF's clothes is a picture, and the other way round", async () => {
  const picture = await noisePicture(80, 60).png().toBuffer();
  expect(expectStatus(await send(picture), 201).body.image).toMatchObject({ width: 80, height: 60 });
  const named = await pair.buyer.post(call(), { imageData: dataUrl(pdf, "image/png") });
  expect(expectStatus(named, 201).body.file).toMatchObject({ bytes: pdf.length });
});

test("once a picture was redrawn, which shuts the library's other decoders, the QR code of a payment is still drawn", async () => {
  const trade = await requestPayment(server);
  const picture = await noisePicture(80, 60).png().toBuffer();
  const sent = await trade.buyer.post(`/api/chat/rooms/${trade.roomId}/images`, {
    imageData: dataUrl(picture),
  });
  expectStatus(sent, 201);
  for (const path of [`/qr/${trade.invoiceId}.png`, `/transactions/${trade.id}/qr.png`]) {
    const reply = await see(trade.buyer, path);
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect([path, reply.status, reply.headers.get("content-type")]).toEqual([path, 200, "image/png"]);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  }
});
