import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { type PushService, startPushService } from "../support/services/push-service.ts";

/** V9: the only self-contained tokens are those that identify Midman to push services; it accepts none (docs/security/asvs.md). */

setDefaultTimeout(60_000);

let server: Server;
let services: [PushService, PushService];
let people: Person[];

beforeAll(async () => {
  services = [startPushService(), startPushService()];
  const hosts = services.map(({ host }) => host).join(",");
  server = await startServer({ environment: { PUSH_HOSTS: hosts } });
  people = await Promise.all(services.map(() => registerPerson(server)));
}, 240_000);

afterAll(async () => {
  await server?.stop();
  for (const service of services ?? []) service.stop();
});

/** What our token says of itself in a push that reached a service. */
function claimsOf({ arrived }: PushService): { aud: string; exp: number; sub: string } {
  const token = /^vapid t=([^,]+),/.exec(arrived[0]?.headers.get("authorization") ?? "")?.[1] ?? "";
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

test("9.2.4 a token for a push service names only that service, and expires within a day", async () => {
  for (const [n, person] of people.entries()) {
    expectStatus(await person.post("/api/push/subscriptions", services[n]?.browser()), 200);
    expectStatus(await person.post("/api/push/test"), 200);
  }
  const came = () => services.every(({ arrived }) => arrived.length > 0);
  for (let wait = 0; wait < 400 && !came(); wait++) await Bun.sleep(25);
  expect(came()).toBe(true);
  for (const service of services) {
    const { aud, exp } = claimsOf(service);
    expect(aud).toBe(`http://${service.host}`);
    expect(exp).toBeLessThan(Date.now() / 1000 + 86_401);
    expect(exp).toBeGreaterThan(Date.now() / 1000);
  }
});
