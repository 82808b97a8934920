import { afterAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { setClock } from "#db/clock";
import { cachePublicPages } from "./public-page-cache.ts";

const clock = { ms: 0 };
afterAll(setClock(() => new Date(clock.ms)));

/** A page that counts how often it was rendered. */
function counted(status = 200) {
  let drawn = 0;
  const page = cachePublicPages(
    async () =>
      new Response(`drawn ${++drawn} ${"and so on ".repeat(200)}`, {
        status,
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Set-Cookie": "midman-look=x",
          Vary: "Cookie",
        },
      }),
    (request) => !/midman-look/.test(request.headers.get("cookie") ?? ""),
  );
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const reply = await page(new Request(`http://midman.example${path}`, { method, headers }), undefined);
    return /^drawn \d+/.exec(await reply.text())?.[0];
  };
  return { ask, page };
}

describe("a page that is the same for everybody", () => {
  test("is rendered once a minute for each language, theme and look", async () => {
    const { ask } = counted();
    const looks: Array<Record<string, string>> = [
      {},
      { cookie: "midman-theme=dark" },
      { cookie: "midman-look=abc" },
      { "accept-language": "mn" },
    ];
    for (let time = 0; time < 2; time++) {
      for (const [at, look] of looks.entries()) expect(await ask("/faq", look)).toBe(`drawn ${at + 1}`);
    }
    expect(await ask("/faq?lang=mn", {})).toBe("drawn 5");
    expect(await ask("/support", {})).toBe("drawn 6");
    clock.ms = 59_999;
    expect(await ask("/faq")).toBe("drawn 1");
    clock.ms = 60_000;
    expect(await ask("/faq")).toBe("drawn 7");
  });

  test("ignores the cookies of signed-out visitors", async () => {
    const { ask } = counted();
    expect(await ask("/faq", { cookie: "midman-theme=light" })).toBe("drawn 1");
    expect(await ask("/faq", { cookie: "midman-theme=anything" })).toBe("drawn 1");
    expect(await ask("/faq", { cookie: "midman-language=xx" })).toBe("drawn 1");
  });

  test.each([
    ["a session", "/faq", { cookie: `midman-session=${"a".repeat(43)}` }],
    ["a toast", "/faq", { cookie: "midman-flash-1-2=abc" }],
    ["words that were typed", "/", { cookie: "midman-typed=abc" }],
    ["a cookie of anybody else's", "/faq", { cookie: "x=1; midman-theme=dark" }],
    ["a question in its address", "/?amount=5000", {}],
    ["another language than ours in its address", "/faq?lang=xx", {}],
    ["a page of members", "/chat", {}],
  ])("is rendered separately for %s", async (_what, path, headers) => {
    const { ask } = counted();
    expect(await ask(path, headers)).toBe("drawn 1");
    expect(await ask(path, headers)).toBe("drawn 2");
  });

  test("is neither cached nor served for requests that do not read, nor cached after a failure", async () => {
    const { ask } = counted();
    expect(await ask("/faq")).toBe("drawn 1");
    expect(await ask("/faq", {}, "POST")).toBe("drawn 2");
    const failing = counted(500);
    expect(await failing.ask("/faq")).toBe("drawn 1");
    expect(await failing.ask("/faq")).toBe("drawn 2");
  });

  test("keeps its headers, and is compressed for clients that accept it", async () => {
    const { page } = counted();
    const asked = () =>
      page(
        new Request("http://midman.example/faq", { headers: { "accept-encoding": "gzip, br" } }),
        undefined,
      );
    const first = await asked();
    expect(first.headers.get("content-encoding")).toBeNull();
    const html = await first.text();
    for (const until = Date.now() + 5000; Date.now() < until; await Bun.sleep(10)) {
      if ((await asked()).headers.has("content-encoding")) break;
    }
    const packed = await asked();
    expect(packed.headers.get("content-encoding")).toBe("br");
    expect(packed.headers.get("vary")).toBe("Cookie, Accept-Encoding");
    expect(packed.headers.getSetCookie()).toEqual(["midman-look=x"]);
    expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(html);
    const plain = await page(new Request("http://midman.example/faq"), undefined);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe(html);
  });
});
