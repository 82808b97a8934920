import { strict as assert } from "node:assert";
import { makeRoomPair } from "../support/people/registered-people.ts";
import { createHttpClient } from "../support/server/http-client.ts";
import { freePort, type Server } from "../support/server/midman-server.ts";
import { testCertificates } from "../support/services/certificates.ts";
import { startProxy } from "../support/services/kit-proxy.ts";
import type { Built } from "./build.ts";
import type { Container } from "./container.ts";
import { type Finding, twoInstances } from "./scenarios.ts";

const tls = { ca: testCertificates.vouched.cert };

/** The example's two instances behind the example's proxy: TLS, sockets, and what people see when an instance is killed. */
export async function proxied(image: Built): Promise<Finding> {
  const ports = { plain: await freePort(), guarded: await freePort() };
  const site = `https://localhost:${ports.guarded}`;
  return twoInstances(image, { PUBLIC_URL: site, TRUST_PROXY: "true" }, async (one, other) => {
    const addresses = [one, other].map(({ url }) => url.slice("http://".length));
    const proxy = await startProxy("haproxy", [addresses[0] ?? "", addresses[1] ?? ""], ports);
    try {
      await until(() =>
        fetch(`${site}/readyz`, { tls, signal: AbortSignal.timeout(5_000) }).then((reply) => reply.ok),
      );
      const plain = await fetch(`http://127.0.0.1:${ports.plain}/faq`, { redirect: "manual" });
      assert.equal(plain.status, 308);
      assert.match(plain.headers.get("Location") ?? "", /^https:.*\/faq$/);
      assert.equal((await fetch(`${site}/metrics`, { tls })).status, 404);
      await hears(one, site);
      const { asked, refused } = await whileKilled(one, site);
      return {
        what: "the same two behind `deploy/haproxy.cfg`, by TLS",
        found: `a socket opens; one killed: ${asked} of ${asked} pages answered 200, of ${asked} posts ${refused} were refused until the proxy had noticed`,
      };
    } finally {
      await proxy.stop();
    }
  });
}

/** A member of a room opens its socket through the proxy and hears of it. */
async function hears(instance: Container, site: string): Promise<void> {
  const direct = {
    client: () => createHttpClient(instance.url, { "X-Forwarded-Proto": "https" }),
  } as unknown as Server;
  const { seller, roomId } = await makeRoomPair(direct);
  const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  const address = `${site.replace("http", "ws")}/ws?roomId=${roomId}&userId=${seller.id}`;
  const socket = new Socket(address, { headers: { cookie: seller.cookies(), origin: site }, tls });
  const first = await new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => resolve(String(data));
    socket.onclose = ({ code }) => resolve(`closed with ${code}`);
  });
  socket.close();
  assert.match(first, /^\{/);
}

/** Pages and posts go on, some forty a second, while an instance is killed: pages all succeed, posts do again soon after. */
async function whileKilled(one: Container, site: string): Promise<{ asked: number; refused: number }> {
  const post = { method: "POST", tls, headers: { "Content-Type": "application/json", Origin: site } };
  const body = JSON.stringify({});
  const pages: Promise<number>[] = [];
  const posts: Promise<number>[] = [];
  for (let count = 0; count < 80; count++) {
    if (count === 20) one.kill();
    pages.push(fetch(`${site}/faq`, { tls }).then(({ status }) => status));
    // A connection that is cut is an answer too: nobody tries again but the person.
    posts.push(
      fetch(`${site}/api/auth/login`, { ...post, body }).then(
        ({ status }) => status,
        () => 599,
      ),
    );
    await Bun.sleep(50);
  }
  assert.deepEqual([...new Set(await Promise.all(pages))], [200]);
  const statuses = await Promise.all(posts);
  const refused = statuses.filter((status) => status >= 500);
  // The last second's go to the one that lives.
  assert.deepEqual(
    statuses.slice(-20).filter((status) => status >= 500),
    [],
  );
  return { asked: pages.length, refused: refused.length };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const from = Date.now(); Date.now() - from < 30_000; ) {
    if (await holds().catch(() => false)) return;
    await Bun.sleep(25);
  }
  throw new Error("the proxy did not answer");
}
