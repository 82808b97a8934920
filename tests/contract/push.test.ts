import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { translateText } from "#locales";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { type PushService, startPushService } from "../support/services/push-service.ts";

/** Notifications on one's devices by the API and by the page without scripts, and what makes Midman an app. */

let server: Server;
let service: PushService;
let me: Person;

beforeAll(async () => {
  service = startPushService();
  server = await startServer({ environment: { PUSH_HOSTS: service.host } });
  me = await registerPerson(server, "Bat Erdene");
}, 240_000);

afterAll(async () => {
  await server?.stop();
  service?.stop();
});

const path = "/api/push/subscriptions";
const arrived = async (count: number) => {
  for (let wait = 0; wait < 200 && service.arrived.length < count; wait++) await Bun.sleep(25);
  return service.arrived.map(({ content }) => content.body);
};

describe("the API", () => {
  test("gives the key to anyone and accepts a device from its owner", async () => {
    const { key } = expectStatus(await server.client().get("/api/push/key"), 200).body;
    expect(String(key)).toMatch(/^B[\w-]{86}$/);
    // As a browser words it.
    const own = { ...service.browser(), expirationTime: null };
    expect((await me.post(path, own)).body).toMatchObject({ success: true });
    expect((await me.post(path, own)).status).toBe(200);
    const { list } = await me.get(path);
    expect(list).toMatchObject([{ current: true, usedAt: null }]);
    expect(JSON.stringify(list)).not.toContain(own.keys.auth);
    expectStatus(await me.post("/api/push/test"), 200);
    expect(await arrived(1)).toEqual([translateText("en", "push.test.body")]);
    expect((await me.delete(`${path}/${list[0]?.id}`)).status).toBe(200);
    expect((await me.delete(path)).status).toBe(404);
    expect((await me.post("/api/push/test")).body.code).toBe("PUSH_OFF");
  });

  test("refuses invalid push services, keys and owners", async () => {
    const own = service.browser();
    const endpoint = "http://169.254.169.254/latest/meta-data";
    expect(await me.post(path, { ...own, endpoint })).toMatchObject({
      status: 422,
      body: { code: "PUSH_SERVICE_UNKNOWN" },
    });
    for (const wrong of [{}, { ...own, keys: {} }, { ...own, endpoint: "x" }, [], null, "x"]) {
      expect((await me.post(path, wrong)).status).toBeOneOf([400, 422]);
    }
    const visitor = server.client();
    const calls = [
      ["GET", path],
      ["POST", path, own],
      ["DELETE", path],
      ["DELETE", `${path}/1`],
      ["POST", "/api/push/test"],
      ["GET", "/api/users/me/telling"],
    ] as const;
    for (const [method, where, body] of calls) {
      expect((await visitor.send(method, where, body)).body.code).toBe("AUTH_REQUIRED");
    }
  });

  test("is closed to other sites", async () => {
    const headers = { Origin: "https://evil.example" };
    expect((await me.send("POST", path, service.browser(), headers)).body.code).toBe("BAD_ORIGIN");
    expect((await me.send("POST", "/api/push/test", undefined, headers)).body.code).toBe("BAD_ORIGIN");
  });

  test("stores quiet hours as given", async () => {
    const telling = { pushMessages: false, mailMessages: true, quietFrom: "23:00", quietTo: "06:30" };
    expect((await me.send("PUT", "/api/users/me/telling", telling)).body).toMatchObject({ telling });
    expect((await me.get("/api/users/me/telling")).body as object).toEqual(telling);
    const half = await me.send("PUT", "/api/users/me/telling", { ...telling, quietTo: null });
    expect([half.status, Object.keys(half.body.fields)]).toEqual([422, ["quietTo"]]);
  });

  test("deletes a device that signs out", async () => {
    const person = await registerPerson(server);
    expectStatus(await person.post(path, service.browser()), 200);
    const again = server.client();
    expectStatus(
      await again.post("/api/auth/login", { username: person.username, password: person.password }),
      200,
    );
    expect((await again.get(path)).list).toHaveLength(1);
    expectStatus(await person.post("/api/auth/logout"), 200);
    expect((await again.get(path)).list).toEqual([]);
  });
});

describe("the page without scripts", () => {
  for (const language of ["en", "mn"] as const) {
    test(`lists devices, tests and removes them, and saves quiet hours (${language})`, async () => {
      const person = await registerPerson(server);
      expectStatus(await person.patch("/api/users/profile", { language }), 200);
      await postForm(person, "/settings", { form: "language", language });
      const none = await person.get("/settings");
      expect(none.text).toContain(translateText(language, "settings.push.script"));
      expect(none.text).not.toContain(translateText(language, "settings.push.test"));
      expectStatus(await person.post(path, service.browser()), 200);
      const before = service.arrived.length;
      const tried = await postForm(person, "/settings", { form: "push-test" });
      expect(await readToastAfter(person, tried)).toEqual([
        "/settings#push",
        translateText(language, "identity.pushTried"),
      ]);
      expect((await arrived(before + 1)).at(-1)).toBe(translateText(language, "push.test.body"));
      const [, device = ""] = /name="device" value="(\d+)"/.exec((await person.get("/settings")).text) ?? [];
      const other = await registerPerson(server);
      const foreign = await postForm(other, "/settings", { form: "push-off", device });
      expect(await readToastAfter(other, foreign)).toEqual([
        "/settings#push",
        translateText("en", "errors.NOT_FOUND"),
      ]);
      const off = await postForm(person, "/settings", { form: "push-off", device });
      expect(await readToastAfter(person, off)).toEqual([
        "/settings#push",
        translateText(language, "identity.pushOff"),
      ]);
      const night = { form: "quiet", pushMessages: "on", quietFrom: "22:00", quietTo: "07:00" };
      const half = await postForm(person, "/settings", { ...night, quietTo: "" });
      expect([half.status, errorOf(half, "quiet-quietTo"), readFieldValue(half, "quiet-quietFrom")]).toEqual([
        ...[422, translateText(language, "validation.quietBoth"), "22:00"],
      ]);
      const saved = await postForm(person, "/settings", night);
      const said = translateText(language, "identity.notificationsSaved");
      expect(await readToastAfter(person, saved)).toEqual(["/settings#quiet", said]);
      expect(readFieldValue(await person.get("/settings"), "quiet-quietTo")).toBe("07:00");
    });
  }
});

describe("an app on the home screen", () => {
  test("has a manifest in each language, and icons of the sizes it names", async () => {
    for (const language of ["en", "mn"] as const) {
      const page = await server.client({ "Accept-Language": language }).get("/");
      const [, at = ""] = /<link rel="manifest" href="([^"]+)"/.exec(page.text) ?? [];
      const reply = expectStatus(await server.client({ "Accept-Language": "en" }).get(at), 200);
      expect(reply.headers.get("content-type")).toBe("application/manifest+json");
      expect(reply.body).toMatchObject({
        id: "/",
        lang: language,
        name: translateText(language, "app.name"),
      });
      for (const { src, sizes } of reply.body.icons as Array<{ src: string; sizes: string }>) {
        expect(await sizeOf(src)).toBe(sizes);
      }
    }
    expect(await sizeOf("/apple-touch-icon.png")).toBe("180x180");
    expect(await sizeOf("/badge.png")).toBe("96x96");
  });

  test("has a picture for link previews in each language, small enough for a messenger", async () => {
    for (const language of ["en", "mn"]) {
      expect(await sizeOf(`/card-${language}.png`)).toBe("1200x630");
      const file = Bun.file(new URL(`../../public/card-${language}.png`, import.meta.url));
      expect(file.size).toBeLessThanOrEqual(60_000);
    }
  });

  test("uses the header's background, in the reader's theme", async () => {
    const visitor = server.client();
    const color = async () => /name="theme-color" content="([^"]+)"/.exec((await visitor.get("/")).text)?.[1];
    const before = await color();
    const { text: css } = await visitor.get(stylesheetOf((await visitor.get("/")).text));
    const ground = (block: string) => new RegExp(`${block}\\{[^}]*--card:\\s*(#[0-9a-f]+)`).exec(css)?.[1];
    expect(before).toBe(whole(ground(":root")));
    await postForm(visitor, "/preferences", { theme: "dark", next: "/" });
    expect(await color()).toBe(whole(ground("\\.dark")));
  });
});

async function sizeOf(icon: string): Promise<string> {
  const reply = await fetch(server.url + icon);
  const { format, width, height } = await sharp(await reply.arrayBuffer()).metadata();
  expect([reply.status, format]).toEqual([200, "png"]);
  return `${width}x${height}`;
}

const stylesheetOf = (page: string) => /\/assets\/[\w-]+\.css/.exec(page)?.[0] ?? "";
/** `#fff` as `#ffffff`. */
const whole = (color = "") => (color.length === 4 ? color.replace(/[0-9a-f]/g, "$&$&") : color);
