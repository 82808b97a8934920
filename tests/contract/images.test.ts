import { beforeAll, describe, expect, test } from "bun:test";
import sharp, { type Sharp } from "sharp";
import { expectMatch } from "../support/expect-match.ts";
import {
  blankPng,
  jpegAndPage,
  noisePicture,
  phonePicture,
  scriptMarkup,
  unacceptablePictures,
} from "../support/hostile/hostile-pictures.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { sharedSecrets, startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { startS3 } from "../support/services/s3.ts";
import { dataUrl, type Image, imageOf, uploadImage } from "./images.fixture.ts";

/** Pictures in a room, as a browser and a program send and see them. */

let server: SharedServer;
/** Where the server's log ends before this file. */
let logStart: number;
let pair: Awaited<ReturnType<typeof makeRoomPair>>;
let picture: Buffer;

beforeAll(async () => {
  server = await sharedServer();
  logStart = server.output().length;
  pair = await makeRoomPair(server);
  picture = await noisePicture(300, 200).jpeg().toBuffer();
}, 240_000);

const megabyte = 1024 * 1024;

const call = (roomId = pair.roomId) => `/api/chat/rooms/${roomId}/images`;

const send = (who: Person, bytes: Uint8Array, more: object = {}, type = "image/jpeg") =>
  who.post(call(), { imageData: dataUrl(bytes, type), ...more });

const upload = (who: Person, path: string, bytes: Uint8Array | null, fields: Record<string, string> = {}) =>
  uploadImage(`${server.url}${path}`, who, bytes, fields);

const see = (who: Person | null, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    redirect: "manual",
    ...init,
    headers: { ...(who && { Cookie: who.cookies() }), ...init.headers },
  });

const shown = async (image: Image, size: "full" | "small" = "full") =>
  Buffer.from(await (await see(pair.buyer, image[size])).arrayBuffer());

describe("sending a picture", () => {
  test("works with a data URL or a form, and both return the message", async () => {
    const clientId = crypto.randomUUID();
    const sent = expectStatus(await send(pair.buyer, picture, { caption: "My payment", clientId }), 201);
    const full = expect.stringMatching(new RegExp(`^/chat/${pair.roomId}/images/[0-9a-f-]{36}$`));
    expect(sent.body).toEqual({
      id: expect.any(Number),
      roomId: pair.roomId,
      seq: expect.any(Number),
      senderId: pair.buyer.id,
      clientId,
      type: "image",
      content: "My payment",
      imageUrl: full,
      image: {
        width: 300,
        height: 200,
        full,
        small: expect.stringMatching(/\/small$/),
        caption: "My payment",
      },
      createdAt: expect.any(String),
    } as never);
    const listed = await pair.seller.get(`/api/chat/rooms/${pair.roomId}/messages`);
    expect(listed.list.at(-1)).toEqual(sent.body);
    // The same picture by the other way, under the same id, is the same message.
    const again = await upload(pair.buyer, call(), picture, { caption: "My payment", clientId });
    expect([again.status, again.body]).toEqual([201, sent.body]);
    const other = await upload(pair.buyer, call(), picture, { clientId });
    expect([other.status, other.body.code]).toEqual([409, "CLIENT_ID_REUSED"]);
  });

  test("without a caption uses the agreed text", async () => {
    expect(expectStatus(await send(pair.seller, picture), 201).body.content).toBe("Image shared");
  });

  test("works with slashes escaped by a backslash, as PHP does", async () => {
    const body = JSON.stringify({ caption: "a/b", imageData: dataUrl(picture) }).replaceAll("/", "\\/");
    expect(expectStatus(await pair.seller.send("POST", call(), body), 201).body.content).toBe("a/b");
  });

  test("reaches the other side's socket immediately, with its addresses", async () => {
    const url = `${server.url.replace("http", "ws")}/ws?roomId=${pair.roomId}&userId=${pair.seller.id}`;
    const socket = new WebSocket(url, {
      headers: { Cookie: pair.seller.cookies(), Origin: server.url },
    } as never);
    const heard = new Promise<Record<string, unknown>>((resolve) => {
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(String(data));
        if (frame.type === "image") resolve(frame);
      };
    });
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    await Bun.sleep(200);
    const sent = expectStatus(await send(pair.buyer, picture), 201);
    expect(await heard).toEqual({ type: "image", seq: sent.body.seq, payload: sent.body });
    socket.close();
  });
});

describe("viewing a picture", () => {
  test("offers two sizes, only as WebP, cached by the browsers of people who may see it", async () => {
    const image = imageOf(await send(pair.buyer, await noisePicture(2400, 1800).jpeg().toBuffer()));
    expect(image).toMatchObject({ width: 1600, height: 1200 });
    for (const [path, width, height] of [
      [image.full, 1600, 1200],
      [image.small, 480, 360],
    ] as const) {
      const reply = await see(pair.seller, path);
      const bytes = Buffer.from(await reply.arrayBuffer());
      expect(reply.status).toBe(200);
      expectMatch(Object.fromEntries(reply.headers), {
        "content-type": "image/webp",
        "content-length": String(bytes.length),
        "content-security-policy":
          "sandbox; default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, max-age=604800, immutable",
        "content-disposition": expect.stringMatching(/^inline; filename="midman-\d{4}-\d\d-\d\d-\d+\.webp"$/),
        "x-robots-tag": "noindex",
        vary: "Cookie",
      });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width, height, space: "srgb" });

      const head = await see(pair.seller, path, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
      const etag = reply.headers.get("etag") ?? "";
      const unchanged = await see(pair.seller, path, { headers: { "If-None-Match": `"other", W/${etag}` } });
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([
        304,
        "",
        etag,
      ]);
      const changed = await see(pair.seller, path, { headers: { "If-None-Match": '"other"' } });
      expect(changed.status).toBe(200);
    }
  });

  test("is for the room's members; for others its address does not exist", async () => {
    const stranger = await registerPerson(server, "Third One");
    const { full, small } = imageOf(await send(pair.seller, picture));
    const elsewhere = (await makeRoomPair(server)).roomId;
    const absent = await see(stranger, `/chat/${pair.roomId}/images/${crypto.randomUUID()}`);
    const nothing = [404, absent.headers.get("cache-control"), await absent.text()];
    expect(nothing[1]).toBe("no-store");
    for (const path of [full, small]) {
      const reply = await see(stranger, path, { headers: { "If-None-Match": "*" } });
      expect([reply.status, reply.headers.get("cache-control"), await reply.text()]).toEqual(
        nothing as never,
      );
      expect((await see(null, path)).status).toBe(401);
      expect((await see(pair.seller, path.replace(`/${pair.roomId}/`, `/${elsewhere}/`))).status).toBe(404);
    }
    for (const path of [`${full}/`, `${full}/large`, `${full}x`, `/chat/0x1/images/${full.slice(-36)}`]) {
      expect([path, (await see(stranger, path)).status]).toEqual([path, 404]);
    }
  });

  test("is refused to people who left, who joined later, or whose room is gone", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const first = expectStatus(await buyer.post(call(roomId), { imageData: dataUrl(picture) }), 201);
    const { full } = first.body.image as Image;
    expect((await see(buyer, full)).status).toBe(200);
    expectStatus(await buyer.post(`/api/chat/rooms/${roomId}/leave`), 200);
    expect((await see(buyer, full)).status).toBe(404);
    expect((await see(seller, full)).status).toBe(200);
    const next = await registerPerson(server, "Next One");
    const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${roomId}/invite`), 200).body;
    expectStatus(await next.post("/api/chat/join", { code: inviteCode }), 200);
    expect((await see(next, full)).status).toBe(404);
    expectStatus(await seller.delete(`/api/chat/rooms/${roomId}`), 200);
    expect((await see(seller, full)).status).toBe(404);
  });
});

describe("a file that is not what it claims", () => {
  test("is refused, whatever it is named and however it comes", async () => {
    const before = (await pair.buyer.get(`/api/chat/rooms/${pair.roomId}/messages?limit=200`)).list.length;
    for (const [what, bytes] of await unacceptablePictures()) {
      for (const reply of [
        await send(pair.buyer, bytes, {}, "image/png"),
        await upload(pair.buyer, call(), bytes),
      ]) {
        expect([what, reply.status, reply.body.code]).toEqual([what, 422, "IMAGE_UNREADABLE"]);
      }
    }
    const after = await pair.buyer.get(`/api/chat/rooms/${pair.roomId}/messages?limit=200`);
    expect(after.list).toHaveLength(before);
  });

  test.each([
    ["30,000 × 30,000 pixels", () => blankPng(30_000, 30_000, 10)],
    ["more pixels than may be", () => blankPng(10_000, 3_001, 10)],
    ["a side longer than may be", () => blankPng(30_001, 1)],
    ["25 million pixels in 3 KB", () => blankPng(5_000, 5_000)],
  ])("and unpacks to %s is refused", async (_what, bytes) => {
    const reply = await send(pair.buyer, bytes(), {}, "image/png");
    expect([reply.status, reply.body.code]).toEqual([422, "IMAGE_TOO_MANY_PIXELS"]);
  });

  test("but is also a page is stored as the picture alone", async () => {
    const polyglot = await jpegAndPage();
    expect(polyglot.includes(scriptMarkup)).toBe(true);
    const image = imageOf(await send(pair.buyer, polyglot));
    expect(image).toMatchObject({ width: 60, height: 40 });
    for (const size of ["full", "small"] as const) {
      expect((await shown(image, size)).includes("script")).toBe(false);
    }
  });

  test("but records where it was taken is turned upright and stripped of it", async () => {
    const taken = await phonePicture();
    expectMatch(await sharp(taken).metadata(), { orientation: 6, exif: expect.any(Buffer) });
    const image = imageOf(await send(pair.buyer, taken));
    expect(image).toMatchObject({ width: 300, height: 400 });
    for (const size of ["full", "small"] as const) {
      const bytes = await shown(image, size);
      const { exif, icc, xmp, iptc, orientation, format } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp, iptc, orientation, format }).toEqual({ format: "webp" } as never);
      expect(bytes.includes("Spyphone")).toBe(false);
    }
  });

  test("but has a second picture for bright screens keeps only the first", async () => {
    // The library's types do not know it yet.
    const plain = sharp(await noisePicture(80, 60).jpeg().toBuffer()) as Sharp & {
      withGainMap(): Sharp;
    };
    const bright = await plain.withGainMap().toBuffer();
    expect(bright.includes("GainMap")).toBe(true);
    const image = imageOf(await send(pair.buyer, bright));
    expect(image).toMatchObject({ width: 80, height: 60 });
    expect((await shown(image)).includes("GainMap")).toBe(false);
  });
});

describe("every kind that phones and screens produce", () => {
  const red = { r: 220, g: 20, b: 20 };
  const plain = (channels: 3 | 4 = 3) =>
    sharp({ create: { width: 90, height: 60, channels, background: { ...red, alpha: 1 } } });

  test.each([
    ["JPEG", () => plain().jpeg().toBuffer()],
    ["JPEG that loads in steps", () => plain().jpeg({ progressive: true }).toBuffer()],
    ["JPEG of the printer's colours", () => plain().toColourspace("cmyk").jpeg().toBuffer()],
    ["PNG", () => plain(4).png().toBuffer()],
    ["PNG of sixteen bits", () => plain().toColourspace("rgb16").png().toBuffer()],
    ["PNG in the colours of a wide screen", () => plain().withIccProfile("p3").png().toBuffer()],
    ["WebP", () => plain(4).webp().toBuffer()],
    ["GIF", () => plain(4).gif().toBuffer()],
    ["AVIF", () => plain().avif().toBuffer()],
  ])("%s keeps its size and colour", async (_what, make) => {
    const image = imageOf(await send(pair.buyer, await make()));
    expect(image).toMatchObject({ width: 90, height: 60 });
    const { channels } = await sharp(await shown(image)).stats();
    for (const [at, want] of [red.r, red.g, red.b].entries()) {
      expect(Math.abs((channels[at]?.mean ?? 0) - want)).toBeLessThan(25);
    }
  });

  test("animations stand still, and transparency becomes white", async () => {
    const frames = await Promise.all([plain().png().toBuffer(), noisePicture(90, 60).png().toBuffer()]);
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2);
    const still = imageOf(await send(pair.buyer, moving));
    expect(still).toMatchObject({ width: 90, height: 60 });
    const clear = await sharp({
      create: { width: 30, height: 30, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { channels } = await sharp(await shown(imageOf(await send(pair.buyer, clear)))).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });
});

describe("size limits", () => {
  test("a picture of 10 MB is accepted, one byte more is refused with a text, both ways and in both languages", async () => {
    const junk = new Uint8Array(10 * megabyte + 1);
    for (const reply of [await send(pair.buyer, junk), await upload(pair.buyer, call(), junk)]) {
      expect([reply.status, reply.body.code]).toEqual([413, "IMAGE_TOO_LARGE"]);
      expect(reply.body.message).toContain("10 MB");
    }
    const spoken = await pair.buyer.send(
      "POST",
      call(),
      { imageData: dataUrl(junk) },
      { "Accept-Language": "mn" },
    );
    expect(spoken.body.message).toContain("10 МБ");
    // Of the right size it is looked at, and found to be no picture.
    const fits = await send(pair.buyer, junk.subarray(1));
    expect([fits.status, fits.body.code]).toEqual([422, "IMAGE_UNREADABLE"]);
    const large = imageOf(
      await send(pair.buyer, Buffer.concat([picture, junk.subarray(picture.length + 1)])),
    );
    expect(large).toMatchObject({ width: 300, height: 200 });
  }, 60_000);

  test("a body that declares too much is not read, and one without a length is counted", async () => {
    const announced = await pair.buyer.send("POST", call(), "x".repeat(15 * megabyte));
    expect([announced.status, announced.body.code]).toEqual([413, "IMAGE_TOO_LARGE"]);
    const endless = await streamed(call(), 80 * megabyte);
    expect([endless.status, endless.body.code]).toEqual([413, "IMAGE_TOO_LARGE"]);
    expect(endless.sent).toBeLessThan(40 * megabyte);
    const body = JSON.stringify({ imageData: dataUrl(picture) });
    expect((await streamed(call(), body.length, body)).status).toBe(201);
  }, 60_000);

  test("other calls accept no long body, and none without a length", async () => {
    const text = { content: "x".repeat(megabyte) };
    const long = await pair.buyer.post(`/api/chat/rooms/${pair.roomId}/messages`, text);
    expect([long.status, long.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    for (const path of [
      `/api/chat/rooms/${pair.roomId}/messages`,
      `${call()}/x`,
      `/chat/${pair.roomId}`,
      "/chat",
    ]) {
      const reply = await streamed(path, 2 * megabyte);
      expect([path, reply.status, reply.body.code]).toEqual([path, 411, "LENGTH_REQUIRED"]);
    }
    const form = await upload(pair.buyer, "/chat", new Uint8Array(2 * megabyte), { form: "image" });
    expect(form.status).toBe(413);
  });

  test.each([
    ["no JSON", "{", 400, "BAD_REQUEST"],
    ["a list", "[]", 422, "IMAGE_MISSING"],
    ["null", "null", 400, "BAD_REQUEST"],
    ["no picture", '{"caption":"x"}', 422, "IMAGE_MISSING"],
    ["an empty picture", '{"imageData":""}', 422, "IMAGE_MISSING"],
    ["a data URL without data", '{"imageData":"data:image/png;base64,"}', 422, "IMAGE_MISSING"],
    ["a number for a picture", '{"imageData":5}', 422, "IMAGE_UNREADABLE"],
    ["an address for a picture", '{"imageData":"https://example.com/x.png"}', 422, "IMAGE_UNREADABLE"],
    ["a data URL of a page", '{"imageData":"data:text/html;base64,AAAA"}', 422, "IMAGE_UNREADABLE"],
    ["a data URL that is not base64", '{"imageData":"data:image/png,AAAA"}', 422, "IMAGE_UNREADABLE"],
    ["broken base64", '{"imageData":"data:image/png;base64,AA*AAAAA"}', 422, "IMAGE_UNREADABLE"],
    ["a caption that is a data URL", '{"caption":"data:x"}', 422, "IMAGE_MISSING"],
    ["two million values", `{"x":[${"{},".repeat(2_000_000)}{}]}`, 400, "BAD_REQUEST"],
    ["a text without an end", '{"imageData":"data:image/png;base64,AAAA', 400, "BAD_REQUEST"],
    ["a depth without an end", "[".repeat(60_000), 400, "BAD_REQUEST"],
  ])("a call with %s is refused", async (_what, body, status, code) => {
    const reply = await pair.buyer.send("POST", call(), body);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test("a form of a hundred thousand parts is answered quickly", async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="caption"\r\n\r\nx\r\n';
    const from = performance.now();
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    const reply = await pair.buyer.send("POST", call(), `${part.repeat(100_000)}--b--\r\n`, headers);
    expect([reply.status, reply.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(performance.now() - from).toBeLessThan(2_000);
    const broken = await pair.buyer.send("POST", call(), "no form", headers);
    expect([broken.status, broken.body.code]).toEqual([400, "BAD_REQUEST"]);
  });

  /** Posts a body in chunks, without its length; `sent` is how much of it was taken. */
  async function streamed(path: string, bytes: number, text?: string) {
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        const piece = text === undefined ? new Uint8Array(65_536) : new TextEncoder().encode(text);
        sent += piece.length;
        controller.enqueue(piece);
        if (sent >= bytes) controller.close();
        await Bun.sleep(0);
      },
    });
    const headers = { Cookie: pair.buyer.cookies(), "Content-Type": "application/json" };
    const reply = await see(null, path, { method: "POST", body, headers, duplex: "half" } as RequestInit);
    const read = (await reply.json()) as { code?: string };
    return { status: reply.status, body: read, sent };
  }
});

describe("without scripts", () => {
  const page = () => `/chat/${pair.roomId}`;

  test("the room's form uploads a picture of nearly 10 MB, and returns to the room", async () => {
    const clientId = crypto.randomUUID();
    const bytes = Buffer.concat([picture, new Uint8Array(9.9 * megabyte)]);
    const fields = { form: "image", caption: "From the form", clientId };
    const sent = await upload(pair.buyer, page(), bytes, fields);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, page()]);
    // Pressed twice it is one message.
    expect((await upload(pair.buyer, page(), bytes, fields)).status).toBe(303);
    const small = await upload(pair.buyer, page(), picture, { form: "image", caption: "A small one" });
    expect(small.status).toBe(303);
    const { list } = await pair.buyer.get(`/api/chat/rooms/${pair.roomId}/messages?limit=3`);
    expect(list.map(({ content }) => content).slice(1)).toEqual(["From the form", "A small one"]);
  }, 60_000);

  test.each([
    ["no file", null, 422, "Please choose a picture first"],
    ["a page for a picture", Buffer.from(`<html>${scriptMarkup}`), 422, "We can&#x27;t read this file"],
    ["more than 10 MB", new Uint8Array(10 * megabyte + 1), 413, "The picture is larger than 10 MB"],
    ["far more than is ever read", new Uint8Array(30 * megabyte), 413, "The picture is larger than 10 MB"],
  ])("%s is shown beside the form", async (_what, bytes, status, words) => {
    const reply = await upload(pair.buyer, page(), bytes, { form: "image", caption: "a caption to keep" });
    expect(reply.status).toBe(status);
    // There alone: nothing of it concerns the trade.
    expect(reply.text.split(`>${words}`)).toHaveLength(2);
    // What was never read cannot come back.
    if (bytes === null || bytes.length < 20 * megabyte) expect(reply.text).toContain("a caption to keep");
  });

  test("a refused upload is shown as a toast", async () => {
    const fields = { form: "image", clientId: crypto.randomUUID() };
    expect((await upload(pair.buyer, page(), picture, fields)).status).toBe(303);
    const other = await upload(pair.buyer, page(), await noisePicture(20, 20).png().toBuffer(), fields);
    expect([other.status, other.headers.get("location")]).toEqual([303, page()]);
    const [toast = ""] = other.headers.getSetCookie();
    expect(
      await (await see(null, page(), { headers: { Cookie: `${pair.buyer.cookies()}; ${toast}` } })).text(),
    ).toContain("Another message was already sent with this ID");
  });

  test("a file in another form's text field is a refused form, not a fault", async () => {
    for (const form of ["message", "create-trade"]) {
      const body = new FormData();
      body.append("form", form);
      for (const name of ["content", "amount"])
        body.append(name, new File(["x"], "x.png", { type: "image/png" }));
      const headers = { Cookie: pair.seller.cookies(), Accept: "text/html" };
      const reply = await see(null, page(), { method: "POST", body, headers });
      expect([form, reply.status]).toEqual([form, 422]);
      await reply.text();
    }
    const odd = await upload(pair.buyer, page(), new Uint8Array(2 * megabyte), {
      form: "message",
      content: "x",
    });
    expect(odd.status).toBe(303);
  });

  test("for a stranger the room does not exist, before or after reading", async () => {
    const stranger = await registerPerson(server, "Third Two");
    for (const bytes of [picture, new Uint8Array(12 * megabyte)]) {
      expect((await upload(stranger, page(), bytes, { form: "image" })).status).toBe(404);
    }
  });
});

test("a server whose bucket is unreachable says so, stores nothing, and continues once it is back", async () => {
  const s3 = await startS3();
  const apart = await startServer({ environment: { ...s3.settings, ...sharedSecrets } });
  const { seller, roomId } = await makeRoomPair(apart);
  const said = { imageData: dataUrl(picture), clientId: crypto.randomUUID() };
  const first = expectStatus(await seller.post(call(roomId), said), 201);
  const { full } = first.body.image as Image;
  const seen = () => fetch(`${apart.url}${full}`, { headers: { Cookie: seller.cookies() } });
  expect((await seen()).headers.get("content-type")).toBe("image/webp");
  expect((await seller.get(`${full}/small`)).status).toBe(200);
  await s3.stop();
  const lost = await seen();
  expect([lost.status, lost.headers.get("cache-control")]).toEqual([503, "no-store"]);
  for (const path of [full, `${full}/small`]) {
    const reply = await seller.get(path);
    expect([reply.status, reply.body.code]).toEqual([503, "UNAVAILABLE"]);
  }
  const refused = await seller.post(call(roomId), { ...said, clientId: crypto.randomUUID() });
  expect([refused.status, refused.body.code]).toEqual([503, "UNAVAILABLE"]);
  expect((await seller.get(`/api/chat/rooms/${roomId}/messages?after=1`)).list).toEqual([first.body]);
  expect((await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: "still here" })).status).toBe(
    201,
  );
  await apart.stop();
}, 120_000);

test("finally the server still works and logged no fault", async () => {
  expect((await server.client().get("/readyz")).status).toBe(200);
  expect(server.output().slice(logStart)).not.toMatch(/request failed|TypeError|RangeError|Unhandled/);
});
