import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { daysAfter, formatDay } from "#format";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { expectStatus, makeRoomPair, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startAgain, startServer } from "../support/server/midman-server.ts";
import { hear, joinRoom, openRoom, openTrade, person, say, signUp, untilStatus } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

async function pair(browser: Browser, tag: string): Promise<[seller: Page, buyer: Page]> {
  const seller = await person(browser, server.url, true);
  const buyer = await person(browser, server.url, true);
  await seller.goto("/");
  await signUp(seller, `seller.${tag}`, "Sarnai Seller");
  await openRoom(seller, `Account ${tag}`);
  await joinRoom(seller, buyer, `buyer.${tag}`);
  return [seller, buyer];
}

/** What was said with these words, in its order on a page. */
const saidOf = (page: Page, words: RegExp) =>
  page.getByRole("log").getByRole("listitem").filter({ hasText: words });

/** Brings the conversation into the window, as somebody does who reads it. */
const look = (page: Page) => page.getByLabel("Write a message").scrollIntoViewIfNeeded();

/** The same two people for every room that needs none of its own; signed up without the pages for it. */
let members: { database: string; seller: Client; buyer: Client } | undefined;

async function two(): Promise<{ seller: Client; buyer: Client }> {
  if (members?.database === server.databaseUrl) return members;
  const enrol = async (username: string, displayName: string) => {
    const one = server.client();
    const account = { username, displayName, email: `${username}@example.mn`, avatarInitials: "" };
    expectStatus(
      await one.post("/api/auth/register", { ...account, password: "a long enough secret" }),
      200,
      201,
    );
    return one;
  };
  members = {
    database: server.databaseUrl,
    seller: await enrol("sarnai", "Sarnai Seller"),
    buyer: await enrol("bold", "Bold Buyer"),
  };
  return members;
}

/** Puts somebody's session into a browser, in the place of whose there was. */
async function signIn(page: Page, who: Client): Promise<void> {
  await page.context().addCookies(cookiesFor(who.cookies(), server.url));
}

/** A room of two people, opened without the pages that lead there. */
async function room(browser: Browser, name: string) {
  const { seller, buyer } = await two();
  const { id } = expectStatus(await seller.post("/api/chat/rooms", { name }), 201).body;
  const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${id}/invite`), 200).body;
  expectStatus(await buyer.post("/api/chat/join", { code: inviteCode }), 200);
  const at = `/chat/${id}`;
  return {
    at,
    seller,
    buyer,
    /** Says something without a browser. */
    says: async (who: Client, content: string) =>
      expectStatus(await who.post(`/api/chat/rooms/${id}/messages`, { content }), 201),
    enter: async (who: Client): Promise<Page> => {
      const page = await person(browser, server.url, true);
      await signIn(page, who);
      await page.goto(at);
      await expect(page.getByText("Connected", { exact: true })).toBeVisible();
      await look(page);
      return page;
    },
  };
}

test("messages written while the server is down are stored, then sent by themselves, once and in order", async ({
  browser,
}) => {
  const [seller, buyer] = await pair(browser, "away");
  await expect(seller.getByText("Connected", { exact: true })).toBeVisible();
  await say(seller, "before");
  await hear(buyer, "before", true);

  await server.kill();
  await expect(seller.getByText("Reconnecting…")).toBeVisible();
  await say(seller, "first");
  await say(seller, "second");
  await expect(saidOf(seller, /second/).getByRole("img", { name: "Sending" })).toHaveCount(1);

  server = await startAgain(server);
  for (const page of [seller, buyer]) {
    await expect(saidOf(page, /before|first|second/)).toContainText(["before", "first", "second"], {
      timeout: 20_000,
    });
  }
  await expect(saidOf(seller, /second/).getByRole("img", { name: "Sending" })).toHaveCount(0);
  await seller.reload();
  await expect(saidOf(seller, /before|first|second/)).toHaveCount(3);
});

test("messages written offline survive the page, and are delivered once when the network is back", async ({
  browser,
}) => {
  const { seller, buyer, enter } = await room(browser, "offline");
  const [one, two] = [await enter(seller), await enter(buyer)];
  await one.evaluate(() => navigator.serviceWorker.ready);
  await one.context().setOffline(true);
  await say(one, "from the steppe");
  await one.getByLabel("Write a message").fill("a draft");
  await expect(one.getByText("You're offline. Messages will be sent once you're back.")).toBeVisible();
  await one.reload();
  await expect(one.getByRole("log")).toHaveCount(0);
  await one.context().setOffline(false);
  await expect(one.getByRole("log")).toHaveCount(1, { timeout: 15_000 });
  await hear(two, "from the steppe", true);
  await expect(saidOf(one, /from the steppe/).getByRole("img", { name: /^(Sent|Read)$/ })).toHaveCount(1);
  await expect(one.getByLabel("Write a message")).toHaveValue("a draft");
  await one.reload();
  await expect(saidOf(one, /steppe/)).toHaveCount(1);
});

test("a socket that is cut after it accepted a message duplicates nothing", async ({ browser }) => {
  const { seller, buyer, at, enter } = await room(browser, "cut");
  const [one, two] = [await enter(seller), await enter(buyer)];
  let cuts = 0;
  await one.routeWebSocket(/\/ws/, (socket) => {
    const far = socket.connectToServer();
    socket.onMessage((frame) => {
      far.send(frame);
      if (!String(frame).includes('"chat"') || cuts > 0) return;
      cuts += 1;
      // Nothing of the answer comes back; once the server has said that it took the message, the line is cut.
      far.onMessage((answer) => {
        if (String(answer).includes('"ack"')) void socket.close({ code: 1012 });
      });
    });
  });
  await one.goto(at);
  await expect(one.getByText("Connected", { exact: true })).toBeVisible();
  await say(one, "only once");
  await expect(saidOf(one, /only once/).getByRole("img", { name: /^(Sent|Read)$/ })).toHaveCount(1);
  await say(one, "and after it");
  await expect(saidOf(two, /only once|and after it/)).toContainText(["only once", "and after it"]);
  expect(cuts).toBe(1);
});

test("two tabs of one person send in the order of writing", async ({ browser }) => {
  const { seller, buyer, at, enter } = await room(browser, "tabs");
  const [one, two] = [await enter(seller), await enter(buyer)];
  const other = await one.context().newPage();
  await other.goto(at);
  await expect(other.getByText("Connected", { exact: true })).toBeVisible();
  await one.context().setOffline(true);
  const words = ["1 of 4", "2 of 4", "3 of 4", "4 of 4"];
  for (const [n, each] of words.entries()) await say(n % 2 === 0 ? one : other, each);
  await one.context().setOffline(false);
  for (const page of [two, one, other])
    await expect(saidOf(page, /of 4/)).toContainText(words, { timeout: 20_000 });
});

test("a refused message shows why, and is sent again or discarded as its author chooses", async ({
  browser,
}) => {
  const { seller, enter } = await room(browser, "refused");
  const one = await enter(seller);
  const refused = one.getByRole("log").getByRole("alert");
  const hidden = "a\u202eb";
  for (const choice of ["Not sent. Tap to try again.", "Discard"]) {
    if (choice !== "Discard") {
      await one.getByLabel("Write a message").fill(hidden);
      await one.getByLabel("Write a message").press("Enter");
    }
    await expect(refused).toContainText(/check|invalid|character/i);
    await refused.getByRole("button", { name: choice }).click();
  }
  await expect(refused).toHaveCount(0);
  await one.reload();
  await expect(one.getByText("Connected", { exact: true })).toBeVisible();
  await expect(refused).toHaveCount(0);
});

test("ticks show what the other side has read, and new messages start with a line", async ({ browser }) => {
  const { seller, buyer, says, at, enter } = await room(browser, "ticks");
  const one = await enter(seller);
  await say(one, "are you there?");
  await expect(saidOf(one, /are you there\?/).getByRole("img", { name: "Sent" })).toHaveCount(1);
  const two = await enter(buyer);
  await expect(saidOf(one, /are you there\?/).getByRole("img", { name: "Read" })).toHaveCount(1);
  await two.goto("/settings");
  await says(seller, "new one");
  await says(seller, "new two");
  await two.goto(at);
  await look(two);
  await expect(two.locator("[data-first-new] + li")).toContainText("new one");
  await expect(two.locator("[data-first-new]")).toHaveCount(1);
  // While nobody looks, nothing is read.
  await two.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  });
  await say(one, "and now?");
  await hear(two, "and now?", true);
  await expect(saidOf(one, /and now\?/).getByRole("img", { name: "Sent" })).toHaveCount(1);
  await two.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(saidOf(one, /and now\?/).getByRole("img", { name: "Read" })).toHaveCount(1);
});

test("older messages appear above without moving the text, and new ones below do not move it either", async ({
  browser,
}) => {
  const { seller, buyer, says, enter } = await room(browser, "history");
  for (let n = 1; n <= 130; n++) await says(n % 3 === 0 ? seller : buyer, `number ${n}.`);
  const one = await enter(seller);
  const log = one.getByRole("log");
  await expect(log.getByText("number 130.")).toBeInViewport();
  expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
  await expect(log.getByText("number 40.")).toHaveCount(0);
  const shown = log.getByText("number 110.");
  await shown.evaluate((element) => element.scrollIntoView({ block: "start" }));
  const before = (await shown.boundingBox())?.y ?? 0;
  await expect(log.getByText("number 95.")).toHaveCount(1);
  await expect
    .poll(async () => Math.abs(((await shown.boundingBox())?.y ?? 0) - before))
    .toBeLessThanOrEqual(1);
  // The list holds its place for a reader who has stopped: a tenth of a second after the last scroll (`use-scroll-place.ts`). This timer of
  // the page is due after that one, however busy the page is.
  await log.evaluate(() => new Promise((done) => setTimeout(done, 150)));
  await says(buyer, "meanwhile one");
  await says(buyer, `meanwhile two ${"and more ".repeat(40)}`);
  await expect(log.getByText("meanwhile two")).toHaveCount(1);
  await expect
    .poll(async () => Math.abs(((await shown.boundingBox())?.y ?? 0) - before))
    .toBeLessThanOrEqual(1);
  const jump = one.getByRole("button", { name: "Jump to latest" });
  await expect(jump).toContainText("2");
  await expect(async () => {
    await log.press("Home");
    await expect(log.getByRole("link", { name: "Older messages" })).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await expect(log.getByText("number 1.")).toHaveCount(1);
  // The parts of an earlier stretch are laid out one by one: all at once would block a slow phone in the middle of a scroll.
  const skipping = await log.evaluate((box) =>
    [...box.querySelectorAll("[data-said] > :not(:nth-last-child(-n+2)) > ol")].map((part) =>
      getComputedStyle(part).getPropertyValue("content-visibility"),
    ),
  );
  expect(new Set(skipping)).toEqual(new Set(["auto"]));
  await jump.click();
  await expect(log.getByText("meanwhile two")).toBeInViewport();
  await expect(jump).toHaveCount(0);
});

test("the newest message stays visible when the window shrinks, and a reader further up stays there", async ({
  browser,
}) => {
  const { seller, enter } = await room(browser, "shrinks");
  const one = await enter(seller);
  await say(one, `${"a line\n".repeat(40)}the end`);
  const log = one.getByRole("log");
  const [height, below] = [
    () => log.evaluate((box) => box.clientHeight),
    () => log.evaluate((box) => Math.abs(box.scrollTop)),
  ];
  expect(await below()).toBe(0);
  const whole = await height();
  await one.setViewportSize({ width: 360, height: 500 });
  await expect.poll(height).toBeLessThan(whole);
  expect(await below()).toBe(0);
  await log.evaluate((box) => box.scrollTo(0, -300));
  await one.setViewportSize({ width: 360, height: 740 });
  await expect.poll(height).toBe(whole);
  expect(await below()).toBeGreaterThan(200);
});

test("a room opens where its reader stopped, further back than a page usually reaches", async ({
  browser,
}) => {
  const { seller, buyer, says, at, enter } = await room(browser, "stopped");
  await says(seller, "the last one read");
  const two = await enter(buyer);
  await two.goto("/settings");
  for (let n = 1; n <= 60; n++) await says(seller, `unread ${n}.`);
  await two.goto(at);
  await look(two);
  const divider = two.locator("[data-first-new]");
  await expect(divider).toBeInViewport();
  await expect(two.locator("[data-first-new] + li")).toContainText("unread 1.");
  await expect(two.getByRole("button", { name: "Jump to latest" })).toBeVisible();
});

test("the composer is reachable beside an open keyboard", async ({ browser }) => {
  const { seller, enter } = await room(browser, "keyboard");
  const one = await enter(seller);
  await one.setViewportSize({ width: 360, height: 400 });
  await one.getByLabel("Write a message").focus();
  await expect(one.getByLabel("Write a message")).toBeInViewport({ ratio: 1 });
  await expect(one.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
  await say(one, "typed on glass");
  await expect(one.getByRole("log").getByText("typed on glass")).toBeInViewport({ ratio: 1 });
});

test("a refused socket on an open page says so, and does not reload forever", async ({ browser }) => {
  const { seller, at, enter } = await room(browser, "turned away");
  const one = await enter(seller);
  let sockets = 0;
  await one.routeWebSocket(/\/ws/, async (socket) => {
    // The list of rooms, whose number of unread messages stands in the bar, has a socket of its own.
    if (!socket.url().includes("list=")) sockets += 1;
    await socket.close({ code: 4401 });
  });
  await one.clock.install();
  await one.goto(at);
  await expect(one.getByRole("link", { name: "Not connected. Please reload the page" })).toBeVisible();
  expect(sockets).toBe(2);
  // Whatever the page would do within half a minute; after a whole one it may load itself again.
  await one.clock.runFor(30_000);
  await expect(one.getByRole("link", { name: "Not connected. Please reload the page" })).toBeVisible();
  expect(sockets).toBe(2);
});

test("an impatient double press makes one payment request", async ({ browser }) => {
  const [seller, buyer] = await pair(browser, "twice");
  await seller.reload();
  await openTrade(seller);
  await seller.getByLabel("Price in ₮").fill("100000");
  await seller.getByLabel("Kind of item").selectOption("account");
  await seller.getByRole("button", { name: "Review" }).click();
  await seller.getByRole("button", { name: "Create request" }).dblclick();
  await untilStatus(seller, "payment_initiated", true);
  await expect(buyer.locator('[data-notice="paymentRequested"]')).toHaveCount(1);
  await expect(seller.locator('[data-notice="paymentRequested"]')).toHaveCount(1);
});

test("a refused form returns in Mongolian, filled in, with errors beside its fields", async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: "mn-MN",
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto("/?tab=register");
  await expect(page.locator("html")).toHaveAttribute("lang", "mn");
  await page.getByLabel("Нэвтрэх нэр").fill("болд");
  await page.getByLabel("Харагдах нэр").fill("Б");
  await page.getByLabel("Имэйл").fill("bold.again@example.mn");
  await page.getByLabel("Нууц үг", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Бүртгүүлэх" }).click();

  const name = page.getByLabel("Харагдах нэр");
  await expect(name).toHaveAccessibleDescription("Харагдах нэр дор хаяж 2 тэмдэгт байх ёстой");
  await expect(name).toBeFocused();
  await expect(page.getByLabel("Нэвтрэх нэр")).toHaveValue("болд");
  await expect(page.getByLabel("Имэйл")).toHaveValue("bold.again@example.mn");
  await expect(page.getByLabel("Нууц үг", { exact: true })).toHaveValue("");

  await name.fill("Болд");
  await page.getByLabel("Нууц үг", { exact: true }).fill("урт нууц үг энэ");
  await page.getByRole("button", { name: "Бүртгүүлэх" }).click();
  await expect(page.getByRole("heading", { name: "Чат өрөөнүүд", level: 1 })).toBeVisible();
});

test("signing out in one tab leaves the room in the other", async ({ browser }) => {
  const room = await person(browser, server.url, true);
  await room.goto("/");
  await signUp(room, "seller.out", "Sarnai Seller");
  await openRoom(room, "Two tabs");
  await expect(room.getByText("Connected", { exact: true })).toBeVisible();

  const other = await room.context().newPage();
  await other.goto("/chat");
  await other.locator("summary:visible", { hasText: "Menu" }).click();
  await other.getByRole("button", { name: "Sign out" }).filter({ visible: true }).click();
  await expect(other.getByText("Logged out")).toBeVisible();
  await expect(room).toHaveURL(/\/\?next=/);
  await expect(room.getByText("Please log in to access this page")).toBeVisible();
});

test("pending messages are not sent by another person at the browser, and signing out deletes them", async ({
  browser,
}) => {
  const { seller, buyer, enter, at } = await room(browser, "one browser");
  const page = await enter(seller);
  // By HTTP alone: a socket would deliver before the page is left, and one of somebody else's would load the page anew.
  await page.routeWebSocket(/\/ws/, (socket) => socket.close());
  await page.reload();
  await page.context().setOffline(true);
  await say(page, "mine alone");
  await expect(saidOf(page, /mine alone/).getByRole("img", { name: "Sending" })).toHaveCount(1);
  await signIn(page, buyer);
  const refused = page.waitForResponse(
    (reply) => reply.url().endsWith("/messages") && reply.request().method() === "POST",
  );
  await page.context().setOffline(false);
  expect((await refused).status()).toBe(401);
  await signIn(page, seller);
  await page.goto(at);
  await expect(saidOf(page, /mine alone/).getByRole("img", { name: /^(Sent|Read)$/ })).toHaveCount(1);

  await page.context().setOffline(true);
  await say(page, "never sent");
  await page.getByLabel("Write a message").fill("a draft");
  await page.route("**/messages", (route) => route.abort());
  await page.context().setOffline(false);
  await page.goto("/settings");
  expect(await kept(page)).toEqual([1, 1]);
  await page.locator("summary:visible", { hasText: "Menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).filter({ visible: true }).click();
  await expect(page.getByText("Logged out")).toBeVisible();
  expect(await kept(page)).toEqual([0, 0]);
});

test("a suspended person reads why in the room, and their unsent text stays", async ({ browser }) => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const [admin, page] = [await signInAdministrator(server), await person(browser, server.url, true)];
  await signIn(page, buyer);
  await page.goto(`/chat/${roomId}`);
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  const box = page.getByLabel("Write a message");
  await box.fill("I sent it yesterday");
  const decision = {
    kind: "suspend",
    cause: "abuse",
    note: "Threats",
    until: daysAfter(formatDay(new Date()), 7),
  };
  const listAsked = page.waitForResponse((reply) => reply.url().includes("only=unread"));
  expectStatus(await admin.post(`/api/admin/users/${buyer.id}/restriction`, decision), 200);
  const said = page.getByRole("alert").filter({ hasText: "Midman has suspended this account until" });
  await expect(said).toBeVisible();
  await expect(said.getByRole("link", { name: "Write to Support" })).toBeVisible();
  await box.press("Enter");
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Send a picture or PDF", exact: true })).toBeDisabled();
  await pastePicture(box);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // The list beside the room learns of it too, and must not take the room away.
  await listAsked;
  await expect(box).toHaveValue("I sent it yesterday");
  await expect(page).toHaveURL(`${server.url}/chat/${roomId}`);
  for (const viewport of [phone, { width: 1280, height: 720 }]) {
    await page.setViewportSize(viewport);
    await expectRoomToTalk(page);
  }
  const heard = expectStatus(await seller.get(`/api/chat/rooms/${roomId}/messages`), 200).text;
  expect(heard).not.toContain("yesterday");
});

const phone = { width: 360, height: 740 };

/** Of the conversation's height its messages have at least a third, and nothing of it lies over what comes after it. */
async function expectRoomToTalk(page: Page) {
  const section = page.getByRole("region", { name: "Conversation", exact: true });
  const [whole, log] = await Promise.all([section.boundingBox(), page.getByRole("log").boundingBox()]);
  if (whole === null || log === null) throw new Error("the conversation is not shown");
  expect(log.height).toBeGreaterThanOrEqual(whole.height / 3 - 1);
  const composer = await page.locator("#composer").boundingBox();
  const ends = (composer?.y ?? Number.POSITIVE_INFINITY) + (composer?.height ?? 0);
  expect(ends).toBeLessThanOrEqual(whole.y + whole.height);
}

/** Pastes a picture as a screenshot is pasted. */
function pastePicture(box: Locator) {
  return box.evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(["picture"], "picture.png", { type: "image/png" }));
    area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
}

/** How many entries of the outbox, and how many drafts, the browser keeps. */
function kept(page: Page): Promise<[outbox: number, drafts: number]> {
  return page.evaluate(async () => {
    const waiting = await new Promise<number>((resolve) => {
      const opening = indexedDB.open("midman-outbox");
      opening.onsuccess = () => {
        const { result } = opening;
        if (!result.objectStoreNames.contains("entries")) return resolve(0);
        const count = result.transaction("entries").objectStore("entries").count();
        count.onsuccess = () => resolve(count.result);
      };
    });
    return [waiting, Object.keys(localStorage).filter((key) => key.startsWith("midman-draft:")).length];
  });
}
