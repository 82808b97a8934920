import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type HostileBody,
  hostileForms,
  hostileJson,
  hostileParts,
  oddJson,
  oversizedBodies,
  partsForCalls,
} from "../support/hostile/hostile-bodies.ts";
import { hostilePicture } from "../support/hostile/hostile-picture-bodies.ts";
import { makeRoomPair, type Person } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { whileOthersWait } from "../support/server/waiting-time.ts";

/** What bodies may cost: each is refused in the API's shape or on a page, and nobody else waits while it is. */

/** Milliseconds that another request may take meanwhile, beside other work on the machine. */
const mostMs = 250;

let server: Server;
let seller: Person;
let roomId: number;

beforeAll(async () => {
  server = await startServer();
  ({ seller, roomId } = await makeRoomPair(server));
}, 120_000);

afterAll(async () => server.stop());

async function post(path: string, { type, body }: HostileBody, headers: Record<string, string> = {}) {
  const send = () =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": type, "Accept-Language": "en", ...headers },
      body,
    }).then(async (reply) => ({ status: reply.status, text: await reply.text() }));
  const { done, longestMs } = await whileOthersWait(server.url, send);
  expect([path, longestMs < mostMs ? "at once" : longestMs]).toEqual([path, "at once"]);
  return done;
}

const calls = ["/api/auth/login", "/api/auth/register", "/api/admin/login", "/api/auth/forgot-password"];

for (const [what, body] of Object.entries({ ...hostileJson, ...hostileForms })) {
  test(`a call with ${what} is refused before it is read`, async () => {
    for (const path of calls) {
      const { status, text } = await post(path, body);
      expect([path, status, JSON.parse(text)]).toEqual([
        path,
        400,
        { code: "BODY_TOO_COMPLEX", message: "The request has too many fields, or too many levels" },
      ]);
    }
  }, 60_000);
}

test("a body larger than a form or call needs is not read, except administrators' and multipart forms", async () => {
  for (const body of Object.values(oversizedBodies)) {
    for (const path of [...calls.slice(0, 2), "/", "/chat"]) {
      const { status } = await post(path, body, { Cookie: seller.cookies() });
      expect([path, status]).toEqual([path, 413]);
    }
    const { status } = await post("/api/admin/login", body);
    expect([body.type, [400, 422].includes(status)]).toEqual([body.type, true]);
  }
}, 60_000);

for (const [what, body] of Object.entries(oddJson)) {
  test(`a call with ${what} is refused by its content`, async () => {
    for (const path of calls.slice(0, 2)) {
      const { status, text } = await post(path, body);
      expect([path, [400, 422].includes(status), JSON.parse(text).code]).toEqual([
        path,
        true,
        expect.stringMatching(/^(BAD_REQUEST|VALIDATION)$/),
      ]);
    }
  }, 60_000);
}

for (const [what, body] of Object.entries({ ...partsForCalls, ...hostileParts })) {
  test(`a call refuses a multipart form: ${what}`, async () => {
    for (const path of calls.slice(0, 2)) {
      const { status, text } = await post(path, body);
      expect([path, status, JSON.parse(text).code]).toEqual([path, 400, "BAD_REQUEST"]);
    }
  }, 60_000);
}

for (const [what, body] of Object.entries({ ...hostileForms, ...hostileParts })) {
  test(`a page's form with ${what} is refused on a page`, async () => {
    const page = { Accept: "text/html" };
    for (const [path, headers] of [
      ["/", page],
      ["/chat", { ...page, Cookie: seller.cookies() }],
      [`/chat/${roomId}`, { ...page, Cookie: seller.cookies() }],
    ] as const) {
      const { status, text } = await post(path, body, headers);
      expect([path, status, text.includes(">We couldn&#x27;t read that request</h1>")]).toEqual([
        path,
        400,
        true,
      ]);
    }
  }, 60_000);
}

test("an optional body is checked the same way, whatever its type", async () => {
  const at = "/api/transactions/1/hand-over";
  const deep = hostileJson["lists 50,000 deep"] as HostileBody;
  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense"]) {
    const { status } = await post(at, { ...deep, type }, { Cookie: seller.cookies() });
    expect([type, status]).toEqual([type, 400]);
  }
}, 60_000);

test("the sandbox provider checks its calls the same way", async () => {
  for (const body of Object.values(hostileJson).slice(0, 4)) {
    const { status } = await post("/sandbox/qpay/v2/invoice", body);
    expect(status).toBe(400);
  }
}, 60_000);

test("the picture call accepts neither more parts nor deeper JSON, although it may be fifteen megabytes", async () => {
  const at = `/api/chat/rooms/${roomId}/images`;
  for (const [what, body] of Object.entries(hostilePicture)) {
    const { status, text } = await post(at, body, { Cookie: seller.cookies() });
    expect([what, status, JSON.parse(text).code]).toEqual([what, 400, "BAD_REQUEST"]);
  }
}, 120_000);
