import { type Browser, expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import { type Server, startAgain, startServer } from "../support/server/midman-server.ts";
import { person } from "./people.ts";

/** A phone that loses its connection: a page of ours that says so, and back as soon as it returns. */

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

/** Somebody signed in whose browser has the worker at work. */
async function withWorker(browser: Browser): Promise<Page> {
  const page = await person(browser, server.url, true);
  const owner = await registerPerson(server, "Otgon Offline");
  await page.context().addCookies(cookiesFor(owner.cookies(), server.url));
  await page.goto("/chat");
  await expect(page.getByRole("heading", { name: "Chat Rooms" })).toBeVisible();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null) {
      await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
    }
  });
  return page;
}

async function expectOffline(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Интернэт холболт алга" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  // With its stylesheet: the button is as high as a thumb needs.
  const button = await page.getByRole("link", { name: "Try again" }).boundingBox();
  expect(button?.height).toBeGreaterThanOrEqual(44);
}

test("without a connection the offline page appears, and goes away once there is one", async ({
  browser,
}) => {
  const page = await withWorker(browser);
  await page.context().setOffline(true);
  await page.goto("/chat?dialog=create");
  await expectOffline(page);
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/chat?dialog=create");
  await page.getByRole("link", { name: "Try again" }).click();
  await expectOffline(page);
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "Chat Rooms" })).toBeVisible({ timeout: 15_000 });
  expect(page.url()).toContain("/chat?dialog=create");
  await page.context().close();
});

test("while the server is down the offline page appears too, and its button continues once it is back", async ({
  browser,
}) => {
  const page = await withWorker(browser);
  await server.kill();
  await page.goto("/history");
  await expectOffline(page);
  // The page would find out by itself, and the button would be gone: that is the next test.
  await page.evaluate(() => Object.assign(window, { fetch: () => Promise.reject(new Error("not asked")) }));
  server = await startAgain(server);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/history$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Transaction History");
  await page.context().close();
});

test("while the server is down no browser event tells when it is back: the page finds out and goes away", async ({
  browser,
}) => {
  const page = await withWorker(browser);
  await server.kill();
  await page.goto("/history");
  await expectOffline(page);
  server = await startAgain(server);
  const heading = page.getByRole("heading", { name: "Transaction History" });
  await expect(heading).toBeVisible({ timeout: 15_000 });
  await page.context().close();
});

test("nothing personal is cached: the page, its assets, and no more", async ({ browser }) => {
  const page = await withWorker(browser);
  await page.goto("/chat");
  await page.reload();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const answers = await Promise.all(
      requests.flat().map(async (request) => (await caches.match(request))?.text()),
    );
    return {
      names,
      paths: requests.flat().map(({ url }) => new URL(url).pathname),
      personal: answers.some((text) => text?.includes("Otgon")),
    };
  });
  expect(kept.names).toHaveLength(1);
  expect(kept.paths.filter((path) => !/^\/(offline|icon\.svg|assets\/[\w-]+\.(css|js))$/.test(path))).toEqual(
    [],
  );
  expect(kept.paths).toHaveLength(4);
  expect(kept.personal).toBe(false);
  await page.context().close();
});

test("a new worker takes over immediately and deletes the previous cache", async ({ browser }) => {
  const page = await withWorker(browser);
  await page.evaluate(async () => {
    await (await caches.open("midman-older")).put("/offline", new Response("an older page"));
  });
  // The same worker under another name is a new one to the browser: it installs, takes over and tidies up.
  const taken = await page.evaluate(async () => {
    const change = new Promise((done) => {
      navigator.serviceWorker.addEventListener("controllerchange", () => done(true), { once: true });
    });
    await navigator.serviceWorker.register("/sw.js?newer", { updateViaCache: "none" });
    await change;
    for (let wait = 0; wait < 50 && (await caches.has("midman-older")); wait++) {
      await new Promise((done) => setTimeout(done, 100));
    }
    return { script: navigator.serviceWorker.controller?.scriptURL, older: await caches.has("midman-older") };
  });
  expect(taken.script).toContain("/sw.js?newer");
  expect(taken.older).toBe(false);
  await page.context().close();
});
