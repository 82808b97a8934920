import { expect, type TestInfo, test } from "@playwright/test";
import type { DrivenBrowser } from "../support/browsers/driven-browser.ts";
import { startFirefox, whyNoFirefox } from "../support/browsers/firefox.ts";
import { startPhoneFrame } from "../support/browsers/phone-frame.ts";
import { startWpeWebkit, whyNoWpeWebkit } from "../support/browsers/wpe-webkit.ts";
import { postForm } from "../support/pages/post-form.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { freePort, type Server, startServer } from "../support/server/midman-server.ts";

// A buyer's whole way in the engines that phones have beside Chromium's: Firefox's and Safari's. Both at a phone's size, with the seller at the
// API. A room whose script does not wake fails here, for nothing arrives in it. On a machine without one of the browsers its walk says so and
// is skipped.

const browsers = {
  "Firefox ESR": { absence: whyNoFirefox(), start: startFirefox },
  "WPE WebKit": { absence: whyNoWpeWebkit(), start: startWpeWebkit },
};

let server: Server;
let frame: Awaited<ReturnType<typeof startPhoneFrame>>;
/** The site's address, as the browsers know it. */
let site: string;

test.beforeAll(async () => {
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  server = await startServer({ environment: { PUBLIC_URL: site } });
  frame = await startPhoneFrame(port, server.port);
});

test.afterAll(async () => {
  await frame?.stop();
  await server?.stop();
});

for (const [name, { absence, start }] of Object.entries(browsers)) {
  test(`a buyer walks from the invite to the end of the trade in ${name}`, async () => {
    test.setTimeout(300_000);
    if (absence !== undefined) {
      test.info().annotations.push({ type: "browser not walked", description: absence });
      console.info(`${name} was not walked: ${absence}`);
    }
    test.skip(absence !== undefined, absence);
    const seller = await registerPerson(server, "Sarnai Seller");
    const room = await inviteTo(seller);
    const buyer = await start();
    try {
      await walk(buyer, seller, room);
    } catch (error) {
      await keepPicture(buyer, test.info());
      throw error;
    } finally {
      await buyer.close();
    }
  });
}

type Room = { id: number; link: string };

async function inviteTo(seller: Person): Promise<Room> {
  const { id } = expectStatus(await seller.post("/api/chat/rooms", { name: "Genshin" }), 201).body;
  const { inviteLink } = expectStatus(await seller.post(`/api/chat/rooms/${id}/invite`), 200).body;
  return { id, link: inviteLink };
}

async function walk(buyer: DrivenBrowser, seller: Person, room: Room): Promise<void> {
  await test.step("sign up from the invite and join", () => join(buyer, room));
  await test.step("talk, live", () => talk(buyer, seller, room));
  const trade = await test.step("see the request and the QR code", () => request(buyer, seller, room));
  await test.step("pay, and see the money held", () => pay(buyer, seller, trade));
  await test.step("open the vault and confirm", () => receive(buyer, seller, room, trade));
  await test.step("see a room's name and a dialog in the list", () => list(buyer));
  await test.step("see the setting that an address names", () => setting(buyer));
}

async function join(buyer: DrivenBrowser, { id, link }: Room): Promise<void> {
  const username = `walker${crypto.randomUUID().slice(0, 8)}`;
  await buyer.open(link);
  await buyer.click(["main a", "Sign up"]);
  await buyer.type("[name=username]", username);
  await buyer.type("[name=displayName]", "Bold Buyer");
  await buyer.type("[name=email]", `${username}@example.mn`);
  await buyer.type("[name=password]", "a long enough secret");
  await buyer.click(["main button", "Sign up"]);
  await buyer.click(["button", "Join the room"]);
  await buyer.until("the room's address", async () => (await buyer.address()) === `${site}/chat/${id}`);
  await awake(buyer);
}

/** The room's script is awake: it is connected, and the line that says that live updates are off is gone. */
async function awake(buyer: DrivenBrowser): Promise<void> {
  await buyer.see(["#room-connection p", "Connected"]);
  expect(await buyer.run("return document.querySelector('[data-still]').dataset.still")).toBe("never");
  // Lost when the page is loaded again.
  await buyer.run("window.walked = true");
}

const isSamePage = (buyer: DrivenBrowser) => buyer.run("return window.walked === true");

async function talk(buyer: DrivenBrowser, seller: Person, { id }: Room): Promise<void> {
  await buyer.type("#composer", "Ok");
  await buyer.click("main form button[type=submit]");
  await buyer.see(["[role=log] li", "Ok"]);
  const heard = async () => (await seller.get(`/api/chat/rooms/${id}/messages`)).list;
  await buyer.until("the seller's view of the message", async () =>
    (await heard()).some(({ content }) => content === "Ok"),
  );
  const said = { content: "It is level 58", clientId: crypto.randomUUID() };
  expectStatus(await seller.post(`/api/chat/rooms/${id}/messages`, said), 201);
  await buyer.see(["[role=log] li", said.content]);
  await buyer.until("two messages, each on one line with its time", async () => {
    const lines = await buyer.run<number[]>(linesOfBubbles);
    return lines.length === 2 && lines.every((count) => count < 2);
  });
}

/** How many lines high each member's message is, its time included. */
const linesOfBubbles = `
  return [...document.querySelectorAll("[role=log] li[id] time")].map((time) => {
    const bubble = time.closest("div");
    return bubble.offsetHeight / parseFloat(getComputedStyle(bubble).lineHeight);
  });`;

type Trade = { id: number; invoice: string };

/** The seller's request comes by itself; the trade shows its QR code. */
async function request(buyer: DrivenBrowser, seller: Person, { id }: Room): Promise<Trade> {
  const asked = { form: "create-trade", amount: "100000", feePayer: "buyer", goods: "account" };
  const form = { ...asked, description: "Level 58", confirmed: "1" };
  expectStatus(await postForm(seller, `/chat/${id}`, form), 303);
  await buyer.see('[data-status="payment_initiated"]');
  await openTrade(buyer);
  await buyer.until("the QR code", () =>
    buyer.run(
      "return [...document.images].some((image) => /QR/.test(image.alt) && image.naturalWidth > 100)",
    ),
  );
  const { list } = expectStatus(await seller.get(`/api/chat/rooms/${id}/transactions`), 200);
  const link = await buyer.run<string>(
    "return document.querySelector('a[href*=\"/sandbox/qpay/pay/\"]').getAttribute('href')",
  );
  return { id: Number(list[0]?.id), invoice: link };
}

/** The trade is a sheet that rises over the conversation, which does not move. */
async function openTrade(buyer: DrivenBrowser): Promise<void> {
  await buyer.run("window.scrolled = false; addEventListener('scroll', () => { window.scrolled = true; });");
  await buyer.click(["#room-strip a", "Payment and next steps"]);
  await buyer.see("#room-trade");
  await buyer.until("the sheet at its place", () =>
    buyer.run("return document.querySelector('#room-trade').getAnimations().length === 0"),
  );
  expect(await buyer.run("return window.scrolled"), "the page stays where it is").toBe(false);
}

/** The bank pays and the provider calls back; the room says so by itself. */
async function pay(buyer: DrivenBrowser, seller: Person, { invoice }: Trade): Promise<void> {
  expectStatus(await seller.post(new URL(invoice, site).pathname, { callback: true }), 200);
  await buyer.see('[data-status="payment_confirmed"]');
  await buyer.until("the notice that the money is held", () =>
    buyer.run("return document.querySelector('[data-notice=paymentConfirmed]') !== null"),
  );
  expect(await isSamePage(buyer), "the page was not loaded again").toBe(true);
}

async function receive(buyer: DrivenBrowser, seller: Person, room: Room, trade: Trade): Promise<void> {
  const sealed = { login: "sarnai_lvl58", password: "one only the buyer sees" };
  expectStatus(await seller.post(`/api/transactions/${trade.id}/vault`, sealed), 200, 201);
  await buyer.until("the notice of the vault", () =>
    buyer.run("return document.querySelector('[data-notice=handedOverByVault]') !== null"),
  );
  await buyer.open(`${site}/chat/${room.id}/vault`);
  await buyer.click(["summary", "Open"]);
  await buyer.click('input[value="open"] ~ button, input[value="open"] ~ * button');
  await buyer.see(["main", "sarnai_lvl58"]);
  await buyer.open(`${site}/chat/${room.id}`);
  await awake(buyer);
  await openTrade(buyer);
  await buyer.click(["summary", "Confirm completion"]);
  await buyer.click(["button", "Yes, release 100,000 ₮ to Sarnai Seller"]);
  await buyer.see('[data-status="exchange_completed"]');
  expect(await isSamePage(buyer), "the page was not loaded again").toBe(true);
}

/** The name of the room is not cut to one letter, and the dialog that an address opens lies over the middle of the page. */
async function list(buyer: DrivenBrowser): Promise<void> {
  await buyer.open(`${site}/chat?dialog=create`);
  await buyer.see(["main h3", "Genshin"]);
  const linesOfName =
    "const name = document.querySelector('main h3'); return name.scrollHeight / name.clientHeight";
  expect(await buyer.run(linesOfName), "lines of the name").toBe(1);
  await buyer.until("a dialog in the middle of the window", () =>
    buyer.run(`
      const { top, bottom } = document.querySelector("dialog:modal").getBoundingClientRect();
      return top > 0 && Math.abs(top + bottom - innerHeight) < 2;`),
  );
}

async function setting(buyer: DrivenBrowser): Promise<void> {
  await buyer.open(`${site}/settings#quiet`);
  await buyer.see("#quiet [name=quietFrom]");
  await buyer.until("the row's line and form in the window", () =>
    buyer.run(`
      const row = document.querySelector("main details[open] > summary");
      const form = document.querySelector("[name=quietFrom]");
      return row.getBoundingClientRect().top >= 0 && form.getBoundingClientRect().top < innerHeight;`),
  );
}

/** Attaches the page on which a failed walk ended, to find the cause. */
async function keepPicture(buyer: DrivenBrowser, info: TestInfo): Promise<void> {
  const body = await buyer.picture().catch(() => undefined);
  if (body) await info.attach("window.png", { body, contentType: "image/png" });
  const words = await buyer.run<string>("return document.body.innerText").catch(() => undefined);
  if (words) await info.attach("words.txt", { body: words, contentType: "text/plain" });
}
