import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Person, registerPerson } from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer, testAdministrator } from "../support/server/midman-server.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A line for hashing passwords: who guesses by the hundred waits for themselves, and nobody is told who exists. */

const token = "m".repeat(32);
const guesser = "198.51.100.66";

let server: Server;
let person: Person;

beforeAll(async () => {
  server = await startServer({ environment: { TRUST_PROXY: "true", METRICS_TOKEN: token } });
  person = await registerPerson({ client: () => at("203.0.113.1") });
}, 120_000);

afterAll(async () => server.stop());

const at = (ip: string, headers: Record<string, string> = {}): Client =>
  server.client({ "X-Forwarded-For": ip, ...headers });

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  return [await work, performance.now() - from];
}

/** Wrong sign-ins from one address, all at once; each at a name of its own, so that no throttle refuses them. */
const guesses = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    at(guesser).post("/api/auth/login", { username: `nobody${n}`, password: `wrong ${n}` }),
  );

/** Guesses on and on, more at once than may wait, while something is done. */
async function besideGuesses(work: () => Promise<void>): Promise<void> {
  let over = false;
  const guessing = Array.from({ length: 80 }, async () => {
    while (!over) {
      const { status } = await at(guesser).post("/api/auth/login", {
        username: "nobody",
        password: "wrong one",
      });
      if (status === 503) await Bun.sleep(50);
    }
  });
  try {
    await waitUntil(async () => (await waiting()) >= 45, 20_000);
    await work();
  } finally {
    over = true;
    await Promise.all(guessing);
  }
}

/** A place in the line may have come free just then: asks until it is full. */
async function refused(ask: () => Promise<Reply>): Promise<Reply> {
  for (let tries = 0; tries < 30; tries++) {
    const reply = await ask();
    if (reply.status === 503) return reply;
  }
  throw new Error("the line was never full");
}

async function waiting(): Promise<number> {
  const text = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } }).then(
    (reply) => reply.text(),
  );
  return Number(/^midman_password_hashes_waiting\{rank="unknown"\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
}

test("while one address guesses 140 passwords at once, a person at another signs in without delay", async () => {
  const { username, password } = person;
  const guessing = guesses(140);
  await Bun.sleep(100);
  const [signedIn, ms] = await timed(at("203.0.113.2").post("/api/auth/login", { username, password }));
  expect(signedIn.status).toBe(200);
  expect(ms).toBeLessThan(3_000);
  const answers = await Promise.all(guessing);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { body, headers } of refused) {
    expect(body.code).toBe("OVERLOADED");
    expect(Number(headers.get("retry-after"))).toBeWithin(2, 6);
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]));
}, 120_000);

test("a refused person gets the same reply, whether or not the name exists", async () => {
  await besideGuesses(async () => {
    const tries = [person.username, "nobody of that name", testAdministrator.username].map((username) =>
      refused(() => at(guesser).post("/api/auth/login", { username, password: "wrong one" })),
    );
    const seen = (await Promise.all(tries)).map(({ body }) => [body.code, body.message.replace(/\d+/, "N")]);
    expect(new Set(seen.map(String)).size).toBe(1);
    expect(seen[0]?.[0]).toBe("OVERLOADED");
  });
}, 120_000);

test.each([
  ["en", "/", { form: "login" }, "Midman is very busy right now and changed nothing. Please try again in"],
  ["mn", "/", { form: "login" }, "Midman яг одоо их ачаалалтай байна"],
  ["mn", "/admin/login", {}, "Midman яг одоо их ачаалалтай байна"],
])(
  "in %s the page %s shows the form again with the name, without the password",
  async (language, path, more, words) => {
    const body = new URLSearchParams({
      ...more,
      username: "bat.erdene",
      password: "secret words",
    }).toString();
    const visitor = at(guesser, { Accept: "text/html", "Accept-Language": language });
    const type = { "Content-Type": "application/x-www-form-urlencoded", "Accept-Language": language };
    await besideGuesses(async () => {
      const page = await refused(() => visitor.send("POST", path, body, type));
      expect(Number(page.headers.get("retry-after"))).toBeWithin(2, 6);
      expect(page.text).toContain(words);
      expect(page.text).toContain('value="bat.erdene"');
      expect(page.text).not.toContain("secret words");
    });
  },
  120_000,
);

test("a signed-in person confirms and changes their password despite the guesses", async () => {
  const guessing = guesses(140);
  await Bun.sleep(100);
  const [proved, ms] = await timed(person.post("/api/auth/confirm-password", { password: person.password }));
  expect([proved.status, ms < 3_000]).toEqual([200, true]);
  await Promise.all(guessing);
}, 120_000);

test("an operator sees how many wait, and who was refused", async () => {
  const text = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } }).then(
    (reply) => reply.text(),
  );
  expect(Number(/refused_total\{rank="unknown",reason="full"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(100);
  expect(text).toContain("midman_password_hash_wait_seconds_bucket");
  expect(await waiting()).toBe(0);
});
