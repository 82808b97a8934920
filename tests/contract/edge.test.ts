import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Person, registerPerson } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** What the one listener adds to every answer, whatever page or call it is. */

let server: SharedServer;
let member: Person;

beforeAll(async () => {
  server = await sharedServer();
  member = await registerPerson(server, "Edge Person");
}, 240_000);

type Headers = Record<string, string>;

/** A request as it is, nothing unpacked and no redirect followed. */
function ask(path: string, headers: Headers = {}, init: RequestInit = {}): Promise<Response> {
  const sent = { Accept: "text/html", "Accept-Encoding": "identity", ...headers };
  return fetch(`${server.url}${path}`, { redirect: "manual", decompress: false, ...init, headers: sent });
}

const read = async (path: string, headers: Headers = {}) => (await ask(path, headers)).text();

const publicPaths = [
  "/",
  "/terms-of-service",
  "/privacy-policy",
  "/security-guide",
  "/faq",
  "/support",
  "/proof",
];

describe("compression", () => {
  const packed = { "Accept-Encoding": "gzip, deflate, br" };

  test("a page compressed by Brotli or gzip is the same page, and smaller", async () => {
    const plain = await ask("/faq");
    expect(plain.headers.get("content-encoding")).toBeNull();
    const bytes = Buffer.from(await plain.arrayBuffer());
    for (const [accepts, encoding, unpack] of [
      ["gzip, deflate, br", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
    ] as const) {
      const reply = await ask("/faq", { "Accept-Encoding": accepts });
      const body = Buffer.from(await reply.arrayBuffer());
      expect([accepts, reply.headers.get("content-encoding")]).toEqual([accepts, encoding]);
      expect(reply.headers.get("vary")).toContain("Accept-Encoding");
      expect(reply.headers.get("content-length")).toBe(String(body.length));
      expect(body.length).toBeLessThan(bytes.length / 2);
      expect(unpack(body).equals(bytes)).toBe(true);
    }
  });

  const told = ({ url, headers }: Response) =>
    ["content-type", "content-length", "content-encoding", "vary"].map((name) => [
      url,
      name,
      headers.get(name),
    ]);

  test("HEAD returns what GET would, without the body", async () => {
    for (const path of ["/", "/faq", "/sitemap.xml", "/robots.txt", "/offline", "/no-such-page"]) {
      const before = await ask(path, packed);
      const head = await ask(path, packed, { method: "HEAD" });
      const after = await ask(path, packed); // a page for everybody is packed anew, and better, after its first visitor
      expect([path, head.status]).toEqual([path, before.status]);
      expect(await head.text()).toBe("");
      expect([told(before), told(after)]).toContainEqual(told(head));
    }
  });

  test("a long API response is compressed, a short one and a redirect are not", async () => {
    const cookie = member.cookies();
    const room = (await member.post("/api/chat/rooms", { name: "A room" })).body;
    const url = `/api/chat/rooms/${room.id}/messages`;
    for (let i = 0; i < 5; i++) await member.post(url, { content: `${i} ${"word ".repeat(100)}` });
    const long = await ask(url, { ...packed, cookie, Accept: "*/*" });
    expect(long.headers.get("content-encoding")).toBe("br");
    const messages = JSON.parse(brotliDecompressSync(Buffer.from(await long.arrayBuffer())).toString());
    expect(messages.filter(({ content }: { content: string }) => content.includes("word"))).toHaveLength(5);
    const short = await ask("/api/auth/session", { ...packed, Accept: "*/*" });
    expect(short.headers.get("content-encoding")).toBeNull();
    const redirect = await ask("/chat", packed);
    expect([redirect.status, redirect.headers.get("content-encoding")]).toEqual([303, null]);
    const file = /href="(\/assets\/[^"]+\.css)"/.exec(await read("/"))?.[1] ?? "";
    const stylesheet = await ask(file, packed);
    expect(stylesheet.headers.get("content-encoding")).toBe("br");
    expect(brotliDecompressSync(Buffer.from(await stylesheet.arrayBuffer())).toString()).toContain("{");
  });

  test("a personal page requested by another site is not compressed: its length reveals nothing", async () => {
    const cookie = member.cookies();
    const encoding = async (headers: Headers) =>
      (await ask("/chat", { ...packed, ...headers })).headers.get("content-encoding");
    expect(await encoding({ cookie })).toBe("br");
    expect(await encoding({ cookie, "Sec-Fetch-Site": "none" })).toBe("br");
    expect(await encoding({ cookie, "Sec-Fetch-Site": "same-origin" })).toBe("br");
    expect(await encoding({ cookie, "Sec-Fetch-Site": "cross-site" })).toBeNull();
    expect(await encoding({ cookie, "Sec-Fetch-Site": "same-site" })).toBeNull();
    const stranger = await ask("/faq", { ...packed, "Sec-Fetch-Site": "cross-site" });
    expect(stranger.headers.get("content-encoding")).toBe("br");
  });
});

describe("the right language and theme at the first paint", () => {
  const language = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

  test.each([
    ["/", {}, "en"],
    ["/", { "Accept-Language": "mn" }, "mn"],
    ["/", { "Accept-Language": "de, en;q=0.3, mn;q=0.8" }, "mn"],
    ["/", { "Accept-Language": "mn", cookie: "midman-language=en" }, "en"],
    ["/?lang=mn", { "Accept-Language": "en", cookie: "midman-language=en" }, "mn"],
    ["/no-such-page?lang=mn", {}, "mn"],
    ["/?lang=xx", { "Accept-Language": "mn" }, "mn"],
  ] as const)("%s with %p gives %s", async (path, headers, spoken) => {
    const reply = await ask(path, headers);
    expect(language(await reply.text())).toBe(spoken);
    expect(reply.headers.get("content-language")).toBe(spoken);
    expect(reply.headers.get("vary")).toMatch(/Cookie, Accept-Language/);
  });

  test("a language in an address is remembered, also across a redirect; an unknown one is not", async () => {
    const kept = async (path: string, headers: Headers = {}) =>
      (await ask(path, headers)).headers.getSetCookie().filter((line) => line.startsWith("midman-language="));
    expect(await kept("/faq?lang=mn")).toEqual([
      "midman-language=mn; Path=/; Max-Age=31536000; SameSite=Lax",
    ]);
    expect(await kept("/?lang=en", { cookie: member.cookies() })).toHaveLength(1);
    expect(await kept("/faq?lang=de")).toEqual([]);
    expect(await kept("/faq")).toEqual([]);
  });

  test("a choice applies on a page whose address has another language, and mails of a signed-in person follow it", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const choose = (body: string) => member.send("POST", "/preferences", body, headers);
    const reply = await choose(`language=mn&back=${encodeURIComponent("/faq?lang=en&x=1")}`);
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/faq?x=1"]);
    expect((await member.get("/api/auth/user")).body.language).toBe("mn");
    await choose("language=en&back=/");
    expect((await member.get("/api/auth/user")).body.language).toBe("en");
  });

  test("the theme is the cookie's, and light without one", async () => {
    const look = (html: string) => [
      /<html[^>]*class="dark"/.test(html),
      /name="color-scheme" content="(\w+)"/.exec(html)?.[1],
    ];
    expect(look(await read("/"))).toEqual([false, "light"]);
    expect(look(await read("/", { cookie: "midman-theme=dark" }))).toEqual([true, "dark"]);
    expect(look(await read("/", { cookie: "midman-theme=<script>" }))).toEqual([false, "light"]);
  });
});

describe("search engines", () => {
  const links = (html: string) =>
    [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/gi)].map(
      ([, name, href]) => `${name} ${href}`,
    );

  test("a public page names itself, its other languages, and its subject, in its own language", async () => {
    for (const path of publicPaths) {
      const [mn, en] = [await read(`${path}?lang=mn`), await read(`${path}?lang=en`)];
      const told = (html: string, name: string) =>
        new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(html)?.[1];
      for (const [html, spoken] of [
        [mn, "mn"],
        [en, "en"],
      ] as const) {
        expect(html).toContain(`<link rel="canonical" href="${server.url}${path}?lang=${spoken}"`);
        expect(links(html)).toEqual([
          `mn ${server.url}${path}?lang=mn`,
          `en ${server.url}${path}?lang=en`,
          `x-default ${server.url}${path}`,
        ]);
        expect(told(html, "og:image")).toBe(`${server.url}/card-${spoken}.png`);
        expect(told(html, "og:locale")).toBe(spoken === "mn" ? "mn_MN" : "en_US");
        expect(told(html, "og:title")).toBe(/<title>([^<]+)</.exec(html)?.[1]);
        expect(told(html, "og:description")).toBe(told(html, "description"));
      }
      expect([path, told(mn, "description")]).toEqual([
        path,
        expect.stringMatching(/\p{Script=Cyrillic}{4}/u),
      ]);
      expect([path, told(en, "description")]).toEqual([
        path,
        expect.not.stringMatching(/\p{Script=Cyrillic}/u),
      ]);
      const bare = await read(`${path}?next=%2Fchat`);
      expect(bare).toContain(`<link rel="canonical" href="${server.url}${path}"`);
      expect(bare).not.toContain("noindex");
    }
  });

  test("no other page is indexed, nor one that failed", async () => {
    const cookie = member.cookies();
    for (const path of ["/chat", "/admin/login", "/reset-password?token=x", "/no-such-page", "/offline"]) {
      const reply = await ask(path, { cookie });
      expect([path, reply.headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
      const html = await reply.text();
      expect(html).toContain('<meta name="robots" content="noindex"');
      expect(html).not.toContain("canonical");
    }
    const refused = await ask("/faq", {}, { method: "POST", body: "x=1" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.headers.get("x-robots-tag")).toBe("noindex");
  });

  test("the sitemap has every public page in each language, and every address in it works", async () => {
    const reply = await ask("/sitemap.xml");
    expect(reply.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("public, max-age=3600");
    const xml = await reply.text();
    const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address ?? "");
    expect(addresses.sort()).toEqual(
      publicPaths
        .flatMap((path) => ["", "?lang=en", "?lang=mn"].map((end) => `${server.url}${path}${end}`))
        .sort(),
    );
    for (const address of addresses) {
      const page = await fetch(address, { redirect: "manual" });
      expect([address, page.status]).toEqual([address, 200]);
      expect(page.headers.get("x-robots-tag")).toBeNull();
      await page.text();
    }
  });

  test("robots.txt excludes private pages and names the sitemap", async () => {
    const reply = await ask("/robots.txt");
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await reply.text();
    for (const path of ["/api/", "/chat", "/admin", "/profile", "/sandbox/"]) {
      expect(text).toContain(`\nDisallow: ${path}\n`);
    }
    for (const path of publicPaths) expect(text).not.toContain(`Disallow: ${path}\n`);
    expect(text).toContain(`\nSitemap: ${server.url}/sitemap.xml\n`);
  });
});

describe("refusals", () => {
  const form = { "Content-Type": "application/x-www-form-urlencoded" };

  test("a missing page has the agreed texts and links", async () => {
    const reply = await ask("/no/such/page");
    const html = await reply.text();
    expect(reply.status).toBe(404);
    expect(html).toContain("404 Page Not Found");
    expect(html).toContain("Did you forget to add the page to the router?");
    expect(html).toContain('href="/support"');
    expect(await read("/no/such/page", { "Accept-Language": "mn" })).toContain("404 Хуудас олдсонгүй");
  });

  test("the first page of a browser includes the stylesheet, later ones link it", async () => {
    const first = await ask("/faq");
    const html = await first.text();
    const styles = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
    const digest = createHash("sha256").update(styles).digest("base64");
    const policy = first.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`style-src 'self' 'sha256-${digest}';`);
    expect(policy).not.toContain("unsafe");
    expect(html).not.toContain('rel="stylesheet"');
    const look = /midman-look=[\w-]+/.exec(first.headers.get("set-cookie") ?? "")?.[0] ?? "none";

    const next = await ask("/faq", { Cookie: look });
    const link = /<link rel="stylesheet" href="([^"]+)"/.exec(await next.text())?.[1] ?? "none";
    expect(next.headers.get("content-security-policy")).toContain("style-src 'self';");
    expect(next.headers.get("set-cookie")).toBeNull();
    expect(await (await ask(link)).text()).toBe(styles);
    // A browser that has had another version gets this one at once.
    expect(await (await ask("/faq", { Cookie: "midman-look=older" })).text()).toContain("<style>");
  });

  test.each([
    ["mn", "Хандах эрхгүй"],
    ["en", "Access denied"],
  ])("a form posted by another site is refused on a page, in %s", async (language, heading) => {
    const headers = { ...form, Origin: "http://evil.example", "Accept-Language": language };
    const reply = await ask("/chat", headers, { method: "POST", body: "form=create" });
    const html = await reply.text();
    expect([reply.status, reply.headers.get("content-language")]).toEqual([403, language]);
    expect(html).toContain(`>${heading}</h1>`);
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/[^"]+\.css"/);
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    const program = await ask("/chat", { ...headers, Accept: "*/*" }, { method: "POST", body: "a=b" });
    expect([program.status, (await program.json()).code]).toEqual([403, "BAD_ORIGIN"]);
    const call = await ask("/api/auth/logout", headers, { method: "POST" });
    expect([call.status, (await call.json()).code]).toEqual([403, "BAD_ORIGIN"]);
  });

  test("a form that is too large is refused on a page, a call in its own form", async () => {
    const body = `form=login&username=${"x".repeat(1024 * 1024)}`;
    const page = await ask("/", form, { method: "POST", body });
    expect([page.status, (await page.text()).includes(">That&#x27;s too large</h1>")]).toEqual([413, true]);
    const call = await ask("/api/auth/login", { ...form, Accept: "*/*" }, { method: "POST", body });
    expect([call.status, (await call.json()).code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("a body that is not a form is refused on a page", async () => {
    const headers = { "Content-Type": "application/json", "Accept-Language": "mn" };
    const reply = await ask("/", headers, { method: "POST", body: "{" });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(">Хүсэлтийг уншиж чадсангүй</h1>");
  });

  test("every response has the number by which support can find it", async () => {
    const first = (await ask("/")).headers.get("x-request-id");
    expect(first).toMatch(/^[\w-]{36}$/);
    expect((await ask("/api/auth/user")).headers.get("x-request-id")).not.toBe(first);
  });
});

describe("guards redirect and return", () => {
  const form = { "Content-Type": "application/x-www-form-urlencoded" };

  const both = ["GET", "POST"];

  test.each([
    ["/chat", "/", "guards.authRequired", both],
    ["/chat/7?before=30", "/", "guards.authRequired", both],
    ["/profile", "/", "guards.authRequired", both],
    ["/settings", "/", "guards.authRequired", both],
    ["/admin", "/admin/login", "guards.adminAuthRequired", ["GET"]],
    ["/admin/transactions/7", "/admin/login", "guards.adminAuthRequired", both],
  ])("a visitor of %s goes to %s with %s", async (path, to, key, methods) => {
    for (const method of methods) {
      const body = method === "POST" ? { body: "form=x" } : {};
      const reply = await ask(path, form, { method, ...body });
      const next = encodeURIComponent(path);
      expect([method, reply.status, reply.headers.get("location")]).toEqual([
        method,
        303,
        `${to}?next=${next}`,
      ]);
      const flash = /midman-flash-[0-9a-f-]+=([^;]+)/.exec(reply.headers.get("set-cookie") ?? "")?.[1] ?? "";
      expect(JSON.parse(Buffer.from(flash, "base64url").toString())).toEqual({ kind: "error", key });
    }
  });

  test("someone who is not an administrator is told so at the administrators' login", async () => {
    const browser = await registerPerson(server, "Plain Person");
    const reply = await browser.send("GET", "/admin", undefined, { Accept: "text/html" });
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/admin/login?next=%2Fadmin"]);
    const there = await browser.get("/admin/login?next=%2Fadmin");
    expect(there.text).toContain("You need administrator privileges to access this page");
    expect(there.text).toMatch(/role="alert"/);
  });

  test("the history asks to sign in on its own page, and returns there", async () => {
    const reply = await ask("/history?before=5");
    const html = await reply.text();
    expect(reply.status).toBe(401);
    expect(html).toContain(">Authentication Required</h1>");
    expect(html).toContain(`href="/?next=${encodeURIComponent("/history?before=5")}#auth"`);
  });

  test("after signing in or up people arrive where they were going, and never at another site", async () => {
    const enter = (body: string, next: string, tab = "") =>
      server.client().send("POST", `/?${tab}next=${encodeURIComponent(next)}`, body, form);
    const login = new URLSearchParams({ form: "login", ...pick(member) }).toString();
    for (const [next, place] of [
      ["/chat/7?before=30", "/chat/7?before=30"],
      ["/чат", "/%D1%87%D0%B0%D1%82"],
      ["//evil.example", "/chat"],
      ["/..//evil.example", "/chat"],
      ["https://evil.example", "/chat"],
    ] as const) {
      const reply = await enter(login, next);
      expect([next, reply.status, reply.headers.get("location")]).toEqual([next, 303, place]);
    }
    const username = `new${crypto.randomUUID().slice(0, 8)}`;
    const account = { username, password: "a long enough one", displayName: "New", avatarInitials: "" };
    const body = new URLSearchParams({ form: "register", ...account, email: `${username}@example.mn` });
    const reply = await enter(body.toString(), "/chat?invite=ABCDEFGHJK", "tab=register&");
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/i/ABCDEFGHJK"]);
  });

  function pick({ username, password }: Person) {
    return { username, password };
  }
});

describe("a phone without a connection", () => {
  test("the cached page is not personal, is in both languages, and works alone", async () => {
    const reply = await ask("/offline", { cookie: `${member.cookies()}; midman-theme=dark` });
    const html = await reply.text();
    expect([reply.status, reply.headers.get("set-cookie")]).toEqual([200, null]);
    expect(html).toBe(await read("/offline"));
    expect(html).toContain("Интернэт холболт алга");
    expect(html).toContain("You&#x27;re offline");
    expect(html).not.toContain("Edge Person");
  });

  test("its worker is fetched each time, has a version, and caches files that exist", async () => {
    const reply = await ask("/sw.js");
    expect(reply.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("no-cache");
    expect(reply.headers.get("content-security-policy")).toContain("worker-src 'self'");
    const script = await reply.text();
    expect(script).toMatch(/^const version = "[0-9a-f]{12}";\nconst files = \[/);
    const files = JSON.parse(/const files = (\[.*\]);/.exec(script)?.[1] ?? "[]") as string[];
    expect(files).toHaveLength(3);
    const page = await read("/offline");
    for (const file of files) {
      expect((await ask(file)).status).toBe(200);
      expect(page).toContain(`"${file}"`);
    }
  });

  test("the icon that browsers request by default exists", async () => {
    const reply = await ask("/favicon.ico");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
  });
});

describe("personal content", () => {
  test("is not cached, and has no second address without the headers of pages", async () => {
    const cookie = { Cookie: member.cookies() };
    for (const path of [
      "/settings",
      "/settings/data",
      "/",
      "/chat/0",
      "/api/auth/user",
      "/api/users/me/data",
    ]) {
      expect([path, (await ask(path, cookie)).headers.get("cache-control")]).toEqual([path, "no-store"]);
    }
    for (const path of ["/settings.data", "/settings/second-factor.data", "/_root.data", "/__manifest"]) {
      const reply = await ask(path, cookie);
      expect([path, reply.status]).toEqual([path, 404]);
      expect(await reply.text()).not.toContain(member.username);
    }
  });

  test("posted by a form of any kind does not block the server", async () => {
    const form = { method: "POST", body: new URLSearchParams({ form: "login", "username[9999999]": "x" }) };
    const from = performance.now();
    expect((await ask("/", {}, form)).status).toBe(422);
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});
