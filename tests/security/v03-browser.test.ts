import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { escrowRoutes } from "#http/escrow";
import { identityRoutes } from "#http/identity";
import { mailerRoutes } from "#http/mailer";
import { paymentsRoutes } from "#http/payments";
import { roomsRoutes } from "#http/rooms";
import routes from "../../app/routes.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { isWritingCall, registeredCalls } from "../support/api/registered-calls.ts";
import { expectStatus, makeRoomPair, registerPerson } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { findSourcesWith, productSources } from "../support/sources/product-sources.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";
import { requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";

/** What other sites and strangers' words can do in a browser. ASVS V3.2.2, V3.5 and V3.7. */

let server: SharedServer;
let deal: ServerTrade;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  deal = await requestPayment(server);
}, 240_000);

afterAll(() => disconnectDatabase());

const evil = "https://evil.example";

type Sent = Record<string, string>;
/** Every call that changes something, with the ids of a trade that would allow it. */
const changing = () =>
  [escrowRoutes, identityRoutes, mailerRoutes, paymentsRoutes, roomsRoutes]
    .flatMap(({ routes }) => routes)
    .filter(
      ({ method, path }) => ["POST", "PUT", "PATCH", "DELETE"].includes(method) && path.startsWith("/api/"),
    )
    .map(({ method, path }) => ({
      method,
      path: path
        .replace(/:(?:id|roomId)\b/, String(/rooms/.test(path) ? deal.roomId : deal.id))
        .replaceAll(/:\w+/g, "1"),
    }));

describe("untrusted text", () => {
  test("3.2.2 text is written as text: scripts parse only Midman's HTML, and what people write stays text in a page", async () => {
    const browser = productSources("app/{islands,enhance,worker,ui,routes}/**/*.{ts,tsx,js}");
    const parses =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|setHTML/i;
    // All of it is HTML of our own server, whose every text React or the documents' writer has escaped.
    expect(findSourcesWith(parses, browser)).toEqual([
      "app/enhance/forms/calculator.ts",
      "app/enhance/in-place/parts.ts",
      "app/enhance/rooms/live-rooms.ts",
      "app/enhance/rooms/swap-rows.ts",
      "app/islands/room/connection/room-api.ts",
      "app/islands/room/conversation.tsx",
      "app/islands/room/hydrate.tsx",
      "app/routes/room/island.tsx",
      "app/ui/layout/document/document-page.tsx",
    ]);
    const words = `<img src=x onerror=alert(1)><b data-forged>${"</script><script>alert(1)</script>"}`;
    expectStatus(await deal.buyer.post(`/api/chat/rooms/${deal.roomId}/messages`, { content: words }), 201);
    const page = expectStatus(await deal.seller.get(`/chat/${deal.roomId}`), 200);
    const seen: string[] = [];
    const rewriter = new HTMLRewriter()
      .on("img, [data-forged]", { element: (one) => void seen.push(one.getAttribute("src") ?? "forged") })
      .on("script", { element: (one) => void seen.push(one.getAttribute("src") ?? "inline") });
    await rewriter.transform(new Response(page.text)).text();
    expect(seen.filter((one) => !/^\/(assets|qr)\//.test(one))).toEqual([]);
    expect(page.text).toContain("&lt;img src=x onerror=alert(1)&gt;");
  });
});

describe("requests from other sites", () => {
  test("3.5.1 forgery by simple requests is refused: every call that changes something, and every form, checks its origin", async () => {
    const before = await countWrittenRows();
    expect(changing().length).toBeGreaterThan(60);
    for (const { method, path } of changing()) {
      const origins: Sent[] = [{ Origin: evil }, { Origin: "null" }, { "Sec-Fetch-Site": "cross-site" }];
      for (const headers of origins) {
        const reply = await deal.buyer.send(method, path, "a=b", {
          ...headers,
          "Content-Type": "application/x-www-form-urlencoded",
        });
        expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 403, "BAD_ORIGIN"]);
      }
    }
    for (const path of ["/", "/chat", `/chat/${deal.roomId}`, "/settings", "/logout", "/preferences"]) {
      const reply = await deal.buyer.send("POST", path, "form=x", {
        Origin: evil,
        "Content-Type": "application/x-www-form-urlencoded",
      });
      expect([path, reply.status]).toEqual([path, 403]);
    }
    expectStatus(await deal.buyer.get("/api/auth/user"), 200);
    expect(await countWrittenRows()).toEqual(before);
  });

  test("3.5.2 no call bypasses the preflight: types that browsers send without one check the same origin", async () => {
    const said = JSON.stringify({ content: "Forged" });
    const path = `/api/chat/rooms/${deal.roomId}/messages`;
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=b",
      "",
    ]) {
      const origins: Sent[] = [
        { Origin: evil },
        { "Sec-Fetch-Site": "same-site" },
        { Origin: `${server.url}.evil.example` },
      ];
      for (const origin of origins) {
        const reply = await deal.buyer.send("POST", path, said, { ...origin, "Content-Type": type });
        expect([type, reply.body.code]).toEqual([type, "BAD_ORIGIN"]);
      }
    }
    // A host that begins or ends like ours is another.
    for (const host of ["midman.test.evil.example", "evilmidman.test", "evil.midman.test"]) {
      const reply = await deal.buyer.send("POST", path, said, {
        Host: "midman.test",
        Origin: `http://${host}`,
      });
      expect([host, reply.body.code]).toEqual([host, "BAD_ORIGIN"]);
    }
    // The same words from our own page, to see that the refusal was the origin's.
    expectStatus(
      await deal.buyer.send("POST", path, said, { Origin: server.url, "Content-Type": "application/json" }),
      201,
    );
    const { list } = expectStatus(await deal.seller.get(path), 200);
    expect(list.filter(({ content }) => content === "Forged")).toHaveLength(1);
  });

  test("3.5.3 reading methods change nothing: GET and HEAD of every call and page, and of what a link must not do", async () => {
    /** What a reader could have changed: the rows of trades, rooms and people, and what the log says of this person. */
    const state = async () => {
      const [people] = await db().execute(sql`
        SELECT (SELECT md5(string_agg(u::text, '|' ORDER BY id)) FROM identity.users u) AS people,
          (SELECT count(*)::int FROM identity.sessions) AS sessions,
          (SELECT count(*)::int FROM audit.entries WHERE user_id = ${deal.buyer.id}) AS recorded`);
      return [await countWrittenRows(), people];
    };
    const pages = routes
      .map(({ path }) => `/${path}`.replace("//", "/"))
      .map((path) =>
        path
          .replace(":id", String(path.startsWith("/chat") ? deal.roomId : deal.id))
          .replaceAll(/:\w+/g, "1"),
      );
    const reading = registeredCalls
      .filter((call) => !isWritingCall(call) && call.path !== "/ws")
      .map(({ path }) =>
        path
          .replace(/:(?:id|roomId)\b/, String(/rooms/.test(path) ? deal.roomId : deal.id))
          .replaceAll(/:\w+/g, "1"),
      );
    const before = await state();
    // One's own data are recorded as they are taken along, and nothing of them changes.
    const paths = new Set([...changing().map((call) => call.path), ...pages, ...reading]);
    const asked = [...paths].filter((path) => path !== "/api/users/me/data");
    for (let at = 0; at < asked.length; at += 20) {
      const some = asked.slice(at, at + 20);
      await Promise.all(
        some.flatMap((path) => ["GET", "HEAD"].map((method) => deal.buyer.send(method, path))),
      );
    }
    for (const path of [
      "/logout",
      "/preferences?language=mn",
      "/settings/data",
      `/admin/disputes/${deal.id}/evidence`,
    ]) {
      expect([path, (await deal.buyer.get(path)).status]).toEqual([path, 303]);
    }
    expect(await state()).toEqual(before);
    expectStatus(await deal.buyer.get("/api/auth/user"), 200);
    // Nor does an invite's link on a page of ours, pressed or as a picture, a script or a frame, nor one that is fetched in advance.
    const seller = await registerPerson(server);
    const room = expectStatus(await seller.post("/api/chat/rooms", { name: "A room to join" }), 201).body;
    const guest = await registerPerson(server);
    const link = `/chat?invite=${room.inviteCode}`;
    const unasked: Array<Record<string, string>> = [
      ...["document", "image", "script", "iframe", "empty"].map((part) => ({
        "Sec-Fetch-Site": "same-origin",
        "Sec-Fetch-Dest": part,
      })),
      { "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document", "Sec-Purpose": "prefetch" },
    ];
    for (const headers of unasked) {
      const led = (await guest.send("GET", link, undefined, headers)).headers.get("location");
      expect(led).toBe(`/i/${room.inviteCode}`);
      expect((await guest.get(`/api/chat/rooms/${room.id}`)).status).toBe(404);
    }
    // What two links do when a person opens them is a deviation, and no part of what this shows.
    expect(readSecuritySection("asvs", deviationsHeading)).toContain("| 3.5.3 |");
  });

  test("3.5.5 foreign postMessage is ignored: no page of Midman's listens for any", () => {
    const listens = /addEventListener\(\s*["'`]message["'`]|\bonmessage\s*=|MessageChannel|BroadcastChannel/;
    const sources = productSources("app/{islands,enhance,worker,ui,routes}/**/*.{ts,tsx,js}");
    // A WebSocket of our own origin is no window.
    expect(findSourcesWith(listens, sources)).toEqual(["app/islands/room/connection/reconnecting-socket.ts"]);
    const socket = sources.find(({ path }) => path === "app/islands/room/connection/reconnecting-socket.ts");
    expect(new Set(socket?.text.match(/\w+\.onmessage\b/g))).toEqual(new Set(["socket.onmessage"]));
  });
});

describe("what a browser is asked to do", () => {
  test("3.7.1 no abandoned technologies in the browser: no plug-in, applet or frame of one in any page", async () => {
    for (const path of ["/quote", "/faq", "/chat", `/chat/${deal.roomId}`, "/settings", "/support"]) {
      const { text } = expectStatus(await deal.buyer.get(path), 200);
      expect([path, /<(object|embed|applet|frameset|frame|param|bgsound|keygen)\b/i.exec(text)]).toEqual([
        path,
        null,
      ]);
      expect([path, /\.(swf|jar|xap|class)\b/i.exec(text)]).toEqual([path, null]);
    }
    expect(
      findSourcesWith(/ActiveXObject|navigator\.plugins|application\/x-(shockwave|java|silverlight)/),
    ).toEqual([]);
  });

  test("3.7.2 no redirect to another host: whatever an address or a form contains, Location stays on this site", async () => {
    const places = [
      "//evil.example",
      "/\\evil.example",
      evil,
      "/..//evil.example",
      "javascript:alert(1)",
      "/%09/evil.example",
      "https:evil.example",
    ];
    const { seller } = await makeRoomPair(server);
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const fields = new URLSearchParams({
      form: "login",
      username: seller.username,
      password: seller.password,
    });
    for (const place of places) {
      const to = encodeURIComponent(place);
      const replies = [
        await server.client().send("POST", `/?next=${to}`, fields.toString(), form),
        await seller.send("POST", "/preferences", `language=en&back=${to}`, form),
        await seller.get(`/?next=${to}`),
        await seller.get(`/settings/confirm?next=${to}`),
        await seller.get(`/away?to=${to}`),
        await seller.get(`/admin/login?next=${to}`),
        await seller.send("GET", `/chat?next=${to}`, undefined, {
          Host: "evil.example",
          "X-Forwarded-Host": "evil.example",
        }),
      ];
      for (const { headers, status } of replies) {
        const location = headers.get("location");
        const host = location === null ? null : new URL(location, server.url).origin;
        expect([place, host === null || host === server.url, status < 500]).toEqual([place, true, true]);
      }
      expect([place, replies[0]?.status]).toEqual([place, 303]);
    }
  });
});
