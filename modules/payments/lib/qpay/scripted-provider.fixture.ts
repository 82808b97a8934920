import { afterAll, beforeEach } from "bun:test";
import { type ClientSettings, Qpay } from "./client.ts";
import { defaultRetryPolicy } from "./retry.ts";

/** `port` is the caller's: calls over one connection have the same port. */
export type Asked = {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
  port: number | undefined;
};
export type Answer = (asked: Asked) => Response | Promise<Response>;

/** For tests: a provider that answers each call as the test scripts it, and records the calls. */
export function useScripted() {
  const asked: Asked[] = [];
  let answer: Answer;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request, server) => {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const body = text === "" ? undefined : JSON.parse(text);
      const { method, headers } = request;
      const call = { method, path: pathname + search, headers, body, port: server.requestIP(request)?.port };
      asked.push(call);
      return answer(call);
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const access = { baseUrl: origin, username: "shop", password: "pa:ss", invoiceCode: "SHOP_INVOICE" };
  beforeEach(() => {
    asked.length = 0;
    answer = () => new Response(null, { status: 500 });
  });
  afterAll(() => server.stop(true));

  /** Answers every call from now on with `next`. */
  function answers(next: Answer): void {
    answer = next;
  }
  /** A client with a token, whose calls are answered with `next`; an object means a reply of 200 with this JSON. */
  function client(next: Answer | object, settings: Partial<ClientSettings> = {}): Qpay {
    const reply: Answer = typeof next === "function" ? (next as Answer) : () => Response.json(next);
    answers((call) =>
      call.path === "/auth/token" ? Response.json({ access_token: "token", expires_in: 3_600 }) : reply(call),
    );
    return new Qpay(access, { patience: { ...defaultRetryPolicy, baseMs: 1 }, ...settings });
  }
  /** The recorded calls, without those for the token. */
  const calls = () => asked.filter(({ path }) => !path.startsWith("/auth/"));
  return { origin, access, asked, answers, client, calls };
}

/** A refusal as the provider writes it. */
export const refusal = (error: unknown, status = 400) => Response.json({ error }, { status });
