import { expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
} from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** The list of rooms as it changes while somebody looks at it. */

let server: Server;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(async () => server.stop());

const say = async (by: Person, roomId: number, content: string) =>
  expectStatus(await by.post(`/api/chat/rooms/${roomId}/messages`, { content, type: "text" }), 201);

/** The list of somebody's rooms, once its socket is open. */
async function openList(page: Page, person: Person, path = "/chat"): Promise<void> {
  await page.context().addCookies(cookiesFor(`${person.cookies()}; midman-language=en`, server.url));
  const opened = page.waitForEvent("websocket", (socket) => socket.url().includes("list=rooms"));
  await page.goto(`${server.url}${path}`);
  await (await opened).waitForEvent("framereceived");
}

const row = (page: Page, roomId: number) => page.locator(`#room-${roomId}`);

test("a row changes when a message arrives and when its person comes, and a new room appears", async ({
  page,
}) => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  await openList(page, buyer);
  await say(seller, roomId, "Is it still there?");
  await expect(row(page, roomId)).toContainText("Seller One: Is it still there?");
  await expect(row(page, roomId)).toContainText("1 unread message");
  const theirs = new WebSocket(`${server.url.replace("http", "ws")}/ws?roomId=${roomId}`, {
    headers: { cookie: seller.cookies() },
  } as never);
  await expect(row(page, roomId).locator("[data-presence=online]")).toBeVisible();
  theirs.close();
  await expect(row(page, roomId).locator("[data-presence]")).toHaveCount(0);
  const made = expectStatus(await buyer.post("/api/chat/rooms", { name: "A second room" }), 201).body.id;
  await expect(page.locator("[data-group=yours]").locator(`#room-${made}`)).toBeVisible();
});

test("what the reader has open, focused, typed or scrolled stays as rows change", async ({ page }) => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  for (let n = 0; n < 12; n++) await buyer.post("/api/chat/rooms", { name: `Room no. ${n}.` });
  await page.setViewportSize({ width: 360, height: 640 });
  await openList(page, buyer);
  const menu = row(page, roomId).locator("summary");
  await menu.click();
  await page.getByRole("searchbox").fill("half a word");
  await menu.focus();
  await page.evaluate(() => scrollTo(0, 300));
  await say(seller, roomId, "Still there?");
  await expect(row(page, roomId)).toContainText("Still there?");
  await expect(row(page, roomId).locator("details")).toHaveAttribute("open", "");
  await expect(menu).toBeFocused();
  await expect(page.getByRole("searchbox")).toHaveValue("half a word");
  expect(await page.evaluate(() => scrollY)).toBe(300);
});

test("whoever is signed out elsewhere no longer sees the list", async ({ page }) => {
  const person = await registerPerson(server);
  await openList(page, person);
  expectStatus(await person.post("/api/auth/logout"), 200);
  await expect(page).toHaveURL(/\/\?/, { timeout: 15_000 });
});

test("while the socket is lost another is opened, and what was missed is fetched", async ({
  page,
  context,
}) => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  await openList(page, buyer);
  await context.setOffline(true);
  await say(seller, roomId, "Sent while you were away");
  await context.setOffline(false);
  await expect(row(page, roomId)).toContainText("Sent while you were away");
});

test("beside an open room the list is live from 1440 px on, and marks the room", async ({ page }) => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const { body } = expectStatus(await buyer.post("/api/chat/rooms", { name: "Another room" }), 201);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openList(page, buyer, `/chat/${roomId}`);
  await expect(row(page, roomId).locator('[aria-current="page"]')).toHaveCount(1);
  await expect(row(page, body.id).locator("[aria-current]")).toHaveCount(0);
  await say(seller, roomId, "Look at the list");
  await expect(row(page, roomId)).toContainText("Look at the list");
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator("#room-list")).toBeHidden();
});

const marks = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-unread-mark]")].map((mark) => mark.dataset.unreadMark),
  );

test("the number of unread messages is beside the link to the rooms, and live in a list and in another room", async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      setAppBadge: async (count: number) => Object.assign(window, { badge: count }),
      clearAppBadge: async () => Object.assign(window, { badge: 0 }),
    });
  });
  const badge = () => page.evaluate(() => (window as unknown as { badge?: number }).badge);
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const other = expectStatus(await seller.post("/api/chat/rooms", { name: "Another room" }), 201).body;
  expectStatus(await buyer.post("/api/chat/join", { code: other.inviteCode }), 200);
  for (const id of [roomId, other.id]) await say(seller, id, "Hello!");
  await page.setViewportSize({ width: 1000, height: 800 });
  await openList(page, buyer);
  const link = page.getByRole("navigation").getByRole("link", { name: /^Chat/ });
  await expect(link).toHaveAccessibleName("Chat 2 unread messages");
  // Without any change: an earlier page may have left another number at the icon.
  await expect.poll(badge).toBe(2);
  await say(seller, other.id, "Hello?");
  await expect(link).toHaveAccessibleName("Chat 3 unread messages");
  await expect.poll(badge).toBe(3);
  // A page without a list has the number from the server.
  await page.goto(`${server.url}/history`);
  await expect(link).toHaveAccessibleName("Chat 3 unread messages");
  // In a room what is said there does not count, and what is said elsewhere does.
  await page.setViewportSize({ width: 360, height: 740 });
  await openList(page, buyer, `/chat/${roomId}`);
  const back = page.locator("#room-bar").getByRole("link", { name: "Chat" });
  await expect(back).toHaveAccessibleName("← Chat 2 unread messages");
  await say(seller, roomId, "Here");
  await say(seller, other.id, "There");
  await expect(back).toHaveAccessibleName("← Chat 3 unread messages");
  await expect.poll(badge).toBe(3);
  // While the page is out of sight, the icon counts both.
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await say(seller, roomId, "Are you there?");
  await say(seller, other.id, "And there?");
  await expect.poll(badge).toBe(5);
  expect(new Set(await marks(page))).toEqual(new Set(["4"]));
});

test("a message that nobody sees makes a sound after the first press, unless it is turned off in the room's menu", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { prototype } = AudioContext;
    const make = prototype.createOscillator;
    Object.assign(window, { tones: 0 });
    prototype.createOscillator = function () {
      (window as unknown as { tones: number }).tones += 1;
      return make.call(this);
    };
  });
  const tones = () => page.evaluate(() => (window as unknown as { tones: number }).tones);
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const other = expectStatus(await seller.post("/api/chat/rooms", { name: "Another room" }), 201).body;
  expectStatus(await buyer.post("/api/chat/join", { code: other.inviteCode }), 200);
  await page.setViewportSize({ width: 360, height: 740 });
  await openList(page, buyer, `/chat/${roomId}`);
  const mark = page.locator("#room-bar [data-unread-mark]");
  // Before the first press there is no sound: what asked for one is not made up for.
  await say(seller, other.id, "One");
  await expect(mark).toHaveAttribute("data-unread-mark", "1");
  await page.locator("#room-bar summary").click();
  await expect(page.getByRole("button", { name: "Turn message sound off" })).toBeVisible();
  await say(seller, roomId, "Seen as it comes");
  await expect(page.getByRole("log").getByText("Seen as it comes")).toBeVisible();
  await say(seller, other.id, "Two");
  await expect.poll(tones).toBe(2);
  await page.getByRole("button", { name: "Turn message sound off" }).click();
  await page.reload();
  await page.locator("#room-bar summary").click();
  const turnOn = page.getByRole("button", { name: "Turn message sound on" });
  await expect(turnOn).toBeVisible();
  // Turning it on sounds once, so that one hears what it is.
  await turnOn.click();
  await expect.poll(tones).toBe(2);
  expect(await page.evaluate(() => localStorage.getItem("midman-sound"))).toBeNull();
});
