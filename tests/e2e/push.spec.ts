import { type Browser, type CDPSession, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { chromiumOptions } from "../support/pages/chromium-options.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { type PushService, startPushService } from "../support/services/push-service.ts";
import { person } from "./people.ts";

/** A phone that is told although nobody looks at it, and that keeps Midman beside its other apps. */

test.use({ launchOptions: chromiumOptions("whole") });

let server: Server;
let service: PushService;

test.beforeAll(async () => {
  service = startPushService();
  server = await startServer({ environment: { PUSH_HOSTS: service.host } });
});

test.afterAll(async () => {
  await server?.stop();
  service?.stop();
});

type Subscription = ReturnType<PushService["browser"]>;

/** Somebody signed in, with the worker at work, in a browser whose maker's push service is ours. */
async function withPush(browser: Browser): Promise<Page> {
  const page = await person(browser, server.url, true);
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  const owner = await registerPerson(server, "Otgon Away");
  await page.context().addCookies(cookiesFor(owner.cookies(), server.url));
  await page.addInitScript((given: Subscription) => {
    const own = {
      ...given,
      toJSON: () => given,
      unsubscribe: async () => true,
    } as unknown as PushSubscription;
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem("subscribed", "yes");
      return own;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? own : null);
  }, service.browser());
  await page.goto("/settings#push");
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === "activated");
  return page;
}

/** What tells the worker of a push, as the browser does once it has decrypted one. */
async function pusher(page: Page): Promise<(content: object) => Promise<void>> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (content) => {
    const data = JSON.stringify(content);
    await cdp.send("ServiceWorker.deliverPushMessage", { origin: server.url, registrationId, data });
  };
}

const told = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body, tag, silent, data }) => {
      return { title, body, tag, silent, url: data.url };
    });
  });

/** Tells a worker until it shows what it should: a browser under load drops what the tool hands it, not what a service does. */
async function untilTold(page: Page, tell: () => Promise<void>, what: object[]): Promise<void> {
  await expect(async () => {
    await tell();
    await expect.poll(() => told(page), { timeout: 1_000 }).toEqual(what);
  }).toPass({ timeout: 15_000 });
}

test("a device is turned on with one press, tested, and turned off again", async ({ browser }) => {
  const page = await withPush(browser);
  const section = page.locator("#push");
  await section.getByRole("button", { name: "Turn on notifications for this device" }).click();
  await expect(section.getByText("Notifications are on for this device.")).toBeVisible();
  await expect(section.getByRole("listitem")).toHaveCount(1);
  await section.getByRole("button", { name: "Send a test notification" }).click();
  await expect(page.getByText("A test notification is on its way")).toBeVisible();
  await expect.poll(() => service.arrived.length).toBe(1);
  const [arrived] = service.arrived;
  const push = await pusher(page);
  const body = "Notifications reach this device";
  await untilTold(page, async () => push(arrived?.content ?? {}), [
    { title: "Midman", body, tag: "test", silent: false, url: "/settings" },
  ]);
  await section.getByRole("button", { name: "Remove" }).click();
  await expect(section.getByRole("button", { name: "Turn on notifications for this device" })).toBeVisible();
  await expect(section.getByRole("listitem")).toHaveCount(0);
  await page.context().close();
});

test("a visible room sends no notification, others do, and a newer one replaces the older", async ({
  browser,
}) => {
  const page = await withPush(browser);
  const push = await pusher(page);
  const content = {
    title: "New messages",
    body: "1",
    url: "/chat",
    tag: "talk:/chat",
    silent: false,
    lang: "en",
  };
  await page.goto("/chat");
  await page.bringToFront();
  const elsewhere = { ...content, url: "/history", tag: "another" };
  const { title, silent } = content;
  await untilTold(page, async () => {
    await push(content);
    await push(elsewhere);
  }, [{ title, body: "1", tag: "another", silent, url: "/history" }]);
  await page.goto("/history");
  const newer = { ...content, tag: "another", body: "2" };
  await untilTold(page, () => push(newer), [{ title, body: "2", tag: "another", silent, url: "/chat" }]);
  await page.context().close();
});

test("clicking it opens its page, if that is not open yet, and never another site", async ({ browser }) => {
  const page = await withPush(browser);
  const [worker] = page.context().serviceWorkers();
  const opened = await worker?.evaluate(async () => {
    type Scope = {
      clients: { openWindow(path: string): Promise<null>; matchAll(): Promise<object[]> };
      registration: {
        showNotification(title: string, options: object): Promise<void>;
        getNotifications(): Promise<object[]>;
      };
    };
    const self = globalThis as unknown as Scope & EventTarget;
    const paths: string[] = [];
    for (const url of ["/chat/12", "https://evil.example/x", "//evil.example/x"]) {
      await self.registration.showNotification("x", { tag: "x", data: { url } });
      const [notification] = await self.registration.getNotifications();
      const Event = (
        globalThis as unknown as { NotificationEvent: new (name: string, init: object) => globalThis.Event }
      ).NotificationEvent;
      const opening = new Promise<void>((resolve) => {
        self.clients.openWindow = async (path) => {
          paths.push(path);
          resolve();
          return null;
        };
      });
      self.dispatchEvent(new Event("notificationclick", { notification }));
      await opening;
    }
    return { paths, left: (await self.registration.getNotifications()).length };
  });
  expect(opened).toEqual({ paths: ["/chat/12", "/chat", "/chat"], left: 0 });
  await page.context().close();
});

test("a browser whose address changes reports it by itself", async ({ browser }) => {
  const page = await withPush(browser);
  const press = page.getByRole("button", { name: "Turn on notifications for this device" });
  await press.click();
  await expect(page.getByText("Notifications are on for this device.")).toBeVisible();
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate((newSubscription) => {
    const Event = (globalThis as unknown as { ExtendableEvent: typeof globalThis.Event }).ExtendableEvent;
    dispatchEvent(Object.assign(new Event("pushsubscriptionchange"), { newSubscription }));
  }, service.browser("another-address"));
  const test = { headers: { origin: server.url } };
  await expect
    .poll(async () => {
      await page.request.post("/api/push/test", test);
      return service.arrived.some(({ device }) => device === "another-address");
    })
    .toBe(true);
  expect(await (await page.request.get("/api/push/subscriptions")).json()).toHaveLength(1);
  await page.context().close();
});

test("Chromium would install it, under its name in either language", async ({ browser }) => {
  const page = await person(browser, server.url, true);
  const cdp = await page.context().newCDPSession(page);
  for (const [language, name] of [
    ["mn", "Midman: найдвартай гүйлгээ"],
    ["en", "Midman: trade safely with strangers"],
  ]) {
    await page.goto(`/?lang=${language}`);
    const { errors, data = "" } = await cdp.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(JSON.parse(data)).toMatchObject({
      id: "/",
      name,
      lang: language,
      start_url: "/chat",
      display: "standalone",
    });
    const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
    // A window of this kind keeps nothing, so that it installs nothing: no fault of the page's.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  }
  await page.context().close();
});
