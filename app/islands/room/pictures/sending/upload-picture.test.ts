import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Message, PendingImage } from "../../types.ts";
import { cancelUpload, subscribeToUploads, uploadPicture, uploadProgressOf } from "./upload-picture.ts";

/** Stands in for XMLHttpRequest; the test gives the response. */
class Request {
  static last: Request;
  status = 0;
  response: unknown = null;
  responseType = "";
  asked = "";
  sent = new FormData();
  headers: Record<string, string> = {};
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onloadend = () => {};
  constructor() {
    Request.last = this;
  }
  open(method: string, address: string) {
    this.asked = `${method} ${address}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    this.sent = form;
  }
  abort() {
    this.onloadend();
  }
  answer(status: number, response: unknown = null) {
    Object.assign(this, { status, response });
    this.onloadend();
  }
}

const real = globalThis.XMLHttpRequest;
beforeEach(() => {
  Object.assign(globalThis, { XMLHttpRequest: Request });
});
afterEach(() => {
  Object.assign(globalThis, { XMLHttpRequest: real });
});

const item: PendingImage = {
  kind: "image",
  clientId: "0a",
  at: 1,
  caption: "Level 58",
  blob: new Blob(["picture"], { type: "image/webp" }),
  width: 4,
  height: 3,
};
const message: Message = {
  ...{ id: 9, seq: 3, senderId: 7, clientId: "0a", type: "image", content: "", imageUrl: "/chat/5/images/a" },
  createdAt: "2026-11-27T00:00:00.000Z",
};

function begin(more: Partial<PendingImage> = {}) {
  const taken: Message[] = [];
  const outcome = uploadPicture({ roomId: 5, me: 7 }, { ...item, ...more }, (one) => taken.push(one));
  return { taken, outcome, request: Request.last };
}

test("sends the picture with its caption and id, and returns the resulting message", async () => {
  const { taken, outcome, request } = begin();
  expect(request.asked).toBe("POST /api/chat/rooms/5/images");
  expect(request.headers).toEqual({ "x-midman-user": "7" });
  expect([request.sent.get("clientId"), request.sent.get("caption")]).toEqual(["0a", "Level 58"]);
  expect(await (request.sent.get("image") as Blob).text()).toBe("picture");
  request.answer(201, message);
  expect(await outcome).toEqual({ kind: "sent" });
  expect(taken).toEqual([message]);
});

test("a reply names the message that it replies to, at every attempt; any other picture names none", async () => {
  const replyTo = { seq: 12, senderId: 8, type: "text", content: "Show me" } as const;
  for (const _attempt of [1, 2]) {
    const { outcome, request } = begin({ replyTo });
    expect(request.sent.get("replyTo")).toBe("12");
    request.answer(503);
    expect(await outcome).toEqual({ kind: "later" });
  }
  expect(begin().request.sent.has("replyTo")).toBe(false);
});

test("a response that is not a message is not passed on, and the picture counts as sent", async () => {
  for (const answer of [null, {}, { ...message, seq: "3" }, [message]]) {
    const { taken, outcome, request } = begin();
    request.answer(201, answer);
    expect(await outcome).toEqual({ kind: "sent" });
    expect(taken).toEqual([]);
  }
});

test("a response that is not a refusal has no text", async () => {
  for (const answer of [null, "no", { message: { toString: 1 } }, { retryAfterSeconds: "soon" }]) {
    const { outcome, request } = begin();
    request.answer(413, answer);
    expect(await outcome).toEqual({ kind: "refused", reason: "" });
  }
});

test("reports progress while the upload is running", async () => {
  let heard = 0;
  const stop = subscribeToUploads(() => heard++);
  const { outcome, request } = begin();
  expect(uploadProgressOf("0a")).toBe(0);
  request.upload.onprogress?.({ loaded: 3, total: 12 });
  expect(uploadProgressOf("0a")).toBe(0.25);
  request.answer(201, message);
  await outcome;
  expect(uploadProgressOf("0a")).toBeUndefined();
  expect(heard).toBe(3);
  stop();
});

test("a permanent refusal is shown in the server's words", async () => {
  const { outcome, request } = begin();
  request.answer(413, { message: "The picture is larger than 10 MB.", code: "IMAGE_TOO_LARGE" });
  expect(await outcome).toEqual({ kind: "refused", reason: "The picture is larger than 10 MB." });
});

test("a temporary refusal is retried when the server says so", async () => {
  for (const status of [0, 401, 429, 503]) {
    const { outcome, request } = begin();
    request.answer(status, status === 429 ? { retryAfterSeconds: 7 } : null);
    expect(await outcome).toEqual(status === 429 ? { kind: "later", seconds: 7 } : { kind: "later" });
  }
});

test("a cancelled upload ends immediately and is not a refusal", async () => {
  const { outcome } = begin();
  cancelUpload("0a");
  expect(await outcome).toEqual({ kind: "later" });
  expect(uploadProgressOf("0a")).toBeUndefined();
});
