import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { imageLimits } from "#constants/rooms";
import { largestRead } from "../../app/server/listener/request-gate.ts";
import { freePort } from "../support/server/midman-server.ts";
import { testCertificates } from "../support/services/certificates.ts";
import { type KitProxy, proxyBinary, proxyKinds, startProxy } from "../support/services/kit-proxy.ts";

/**
 * The kit's three proxies with the kit's own files, before two far ends that answer as instances do: ready, closed for maintenance, or gone.
 * haproxy is there wherever these tests run (scripts/check/test-tools.ts); the others are skipped where they are not installed.
 */

setDefaultTimeout(60_000);

const tls = { ca: testCertificates.vouched.cert };
const own = "Midman-д засвар үйлчилгээ хийж байна";
const closedPage = readFileSync(join(import.meta.dir, "..", "..", "deploy", "closed.html"), "utf8");

type State = "ready" | "maintenance" | "gone";
type Met = { path: string; method: string; forwarded: string | null; proto: string | null; bytes: number };

/** Two far ends, what they are asked, and their common state. */
class FarEnds {
  met: Met[] = [];
  state: State = "gone";
  ports: number[] = [];
  private servers: Bun.Server<unknown>[] = [];

  async become(state: State): Promise<void> {
    if (this.ports.length === 0) this.ports = [await freePort(), await freePort()];
    this.state = state;
    this.met = [];
    if (state === "gone") {
      await Promise.all(this.servers.map((server) => server.stop(true)));
      this.servers = [];
    } else if (this.servers.length === 0) this.servers = this.ports.map((port) => this.serve(port));
  }

  private serve(port: number): Bun.Server<unknown> {
    return Bun.serve({
      port,
      hostname: "127.0.0.1",
      maxRequestBodySize: 2 * largestRead,
      fetch: (request, server) => this.answer(request, server),
      websocket: {
        message(socket, said) {
          socket.send(`heard ${said}`);
        },
      },
    });
  }

  private async answer(request: Request, server: Bun.Server<unknown>): Promise<Response | undefined> {
    const { pathname: path } = new URL(request.url);
    if (path === "/healthz") return Response.json({ status: "ok" });
    const status = this.state === "ready" ? 200 : 503;
    if (path === "/readyz") return Response.json({}, { status });
    const { headers, method } = request;
    const { byteLength: bytes } = await request.arrayBuffer();
    const [forwarded, proto] = [headers.get("x-forwarded-for"), headers.get("x-forwarded-proto")];
    this.met.push({ path, method, forwarded, proto, bytes });
    if (this.state === "maintenance") {
      return new Response(own, { status, headers: { "Retry-After": "300", "Content-Type": "text/html" } });
    }
    if (path === "/ws")
      return server.upgrade(request, { data: undefined }) ? undefined : new Response("no", { status: 400 });
    return new Response(`read ${bytes}`);
  }
}

for (const kind of proxyKinds) {
  describe.skipIf(proxyBinary(kind) === null)(kind, () => {
    const far = new FarEnds();
    let proxy: KitProxy;

    beforeAll(async () => {
      await far.become("ready");
      const [one, other] = far.ports.map((port) => `127.0.0.1:${port}`);
      proxy = await startProxy(kind, [one ?? "", other ?? ""]);
      await untilAnswers(200);
    });
    afterAll(async () => {
      await proxy?.stop();
      await far.become("gone");
    });

    const ask = (path: string, given: RequestInit = {}) =>
      fetch(`${proxy.url}${path}`, { tls, keepalive: false, redirect: "manual", ...given });

    /** Until pages are answered so, and by whom: looks at the instances take a second. */
    async function untilAnswers(status: number, text = ""): Promise<void> {
      let last = "";
      for (const from = Date.now(); Date.now() - from < 20_000; await Bun.sleep(50)) {
        const found = await ask("/faq").then(
          async (reply) => ({ status: reply.status, text: await reply.text() }),
          (error: Error) => ({ status: 0, text: error.message }),
        );
        if (found.status === status && found.text.includes(text)) return;
        last = JSON.stringify(found);
      }
      throw new Error(`${kind} answered at last ${last}`);
    }

    test("people are redirected to TLS, and an instance learns who asks, whatever they claim", async () => {
      const plain = await fetch(`${proxy.plainUrl}/faq?a=1`, {
        redirect: "manual",
        headers: { Host: "localhost" },
      });
      expect(plain.status).toBe(308);
      expect(plain.headers.get("location")).toMatch(/^https:\/\/localhost.*\/faq\?a=1$/);
      far.met = [];
      const headers = { "X-Forwarded-For": "10.9.8.7", "X-Forwarded-Proto": "http" };
      expect((await ask("/who", { headers })).status).toBe(200);
      expect(far.met).toEqual([
        { path: "/who", method: "GET", forwarded: "127.0.0.1", proto: "https", bytes: 0 },
      ]);
    });

    test("the metrics are hidden from outside", async () => {
      far.met = [];
      expect((await ask("/metrics")).status).toBe(404);
      expect(far.met).toEqual([]);
    });

    test("a socket is upgraded and works both ways", async () => {
      const Socket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
      const socket = new Socket(`${proxy.url.replace("http", "ws")}/ws`, { tls });
      const heard = await new Promise<string>((resolve) => {
        socket.onopen = () => socket.send("a word");
        socket.onmessage = ({ data }) => resolve(String(data));
        socket.onclose = ({ code }) => resolve(`closed with ${code}`);
      });
      socket.close();
      expect(heard).toBe("heard a word");
    });

    test("the largest picture passes, and more than Midman reads is refused by the proxy", async () => {
      const body = new Uint8Array(imageLimits.upload);
      const sent = await ask("/chat/1", { method: "POST", body });
      expect([sent.status, await sent.text()]).toEqual([200, `read ${body.length}`]);
      far.met = [];
      expect(await statusOfBody(proxy.port, largestRead + 1_000_000)).toBe(413);
      expect(far.met.filter(({ bytes }) => bytes > 0)).toEqual([]);
    });

    test("in maintenance people see Midman's own page, also after sending a form, once", async () => {
      await far.become("maintenance");
      await untilAnswers(503, own);
      // Every look has decided by now: from here on no request may meet anything else.
      await Bun.sleep(1_500);
      far.met = [];
      const page = await ask("/faq");
      expect([page.status, page.headers.get("retry-after"), await page.text()]).toEqual([503, "300", own]);
      const form = await ask("/chat/1", {
        method: "POST",
        body: "a form",
        headers: { "X-Forwarded-For": "10.9.8.7" },
      });
      expect([form.status, await form.text()]).toEqual([503, own]);
      expect(far.met.filter(({ method }) => method === "POST")).toEqual([
        { path: "/chat/1", method: "POST", forwarded: "127.0.0.1", proto: "https", bytes: 6 },
      ]);
      await far.become("ready");
      await untilAnswers(200, "read 0");
    });

    test("while no instance is up people see closed.html with 503, and the service again once one is", async () => {
      await far.become("gone");
      await untilAnswers(503, closedPage);
      for (const method of ["GET", "POST"]) {
        const reply = await ask("/chat/1", { method });
        expect([method, reply.status, reply.headers.get("retry-after")]).toEqual([method, 503, "30"]);
        expect(reply.headers.get("content-type")).toMatch(/^text\/html/);
        expect(reply.headers.get("cache-control")).toBe("no-store");
        expect(await reply.text()).toBe(closedPage);
      }
      await far.become("ready");
      await untilAnswers(200, "read 0");
    });
  });
}

/** The status that a form of so many bytes is answered, sent whole unless the answer comes sooner. */
function statusOfBody(port: number, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ca: tls.ca }, () => {
      const head = [
        "POST /chat/1 HTTP/1.1",
        "Host: localhost",
        "Content-Type: text/plain",
        `Content-Length: ${bytes}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      socket.write(new Uint8Array(bytes));
    });
    socket.setTimeout(20_000, () => socket.destroy(new Error("no answer")));
    socket.once("data", (answer) => {
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString("latin1"))?.[1]));
      socket.destroy();
    });
    // What is still being sent when the answer comes breaks off; the answer came first.
    socket.on("error", reject);
  });
}

describe("closed.html", () => {
  test("has Mongolian first, then English, announces itself as a status, and loads nothing from elsewhere", () => {
    expect(closedPage).toMatch(/^<!DOCTYPE html>\n<html lang="mn">/);
    expect(closedPage.indexOf("түр нээгдэхгүй")).toBeLessThan(closedPage.indexOf('<section lang="en">'));
    expect(closedPage).toContain('role="status"');
    expect(closedPage).not.toMatch(/https?:|<script|<link|<img|url\(|@import|\bsrc=/);
    // haproxy holds it in one buffer.
    expect(Buffer.byteLength(closedPage)).toBeLessThan(8_000);
  });
});
