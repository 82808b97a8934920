import { expect, type Page, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";
import { hear, openRow, person, say, twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

/** The tab goes out of sight, or comes back. */
const look = (page: Page, away: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value: state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    away ? "hidden" : "visible",
  );

test("presence follows what a person does: there, away, busy by choice, gone", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  const other = (presence: string) => seller.locator("#room-bar").getByText(presence, { exact: true });
  await expect(other("online")).toBeVisible();
  await look(buyer, true);
  await expect(other("away")).toBeVisible();
  await look(buyer, false);
  await expect(other("online")).toBeVisible();

  await openRow(buyer, "People and roles");
  const busy = buyer.getByRole("button", { name: "Set me as busy", includeHidden: true });
  await busy.click();
  await expect(busy).toHaveAttribute("aria-pressed", "true");
  await expect(other("busy")).toBeVisible();
  await buyer.reload();
  await openRow(buyer, "People and roles");
  await expect(busy).toHaveAttribute("aria-pressed", "true");
  await expect(other("busy")).toBeVisible();
  await busy.click();
  await expect(other("online")).toBeVisible();

  await buyer.context().close();
  const lastSeen = seller.locator("#room-bar").getByText(/^last seen (today|yesterday)\s\d\d:\d\d$/);
  await expect(lastSeen).toBeVisible();
  // The server knows it too, and says it as soon as it is sure.
  await seller.reload();
  await expect(seller.getByText("Connected", { exact: true })).toBeVisible();
  await expect(lastSeen).toBeVisible();
});

test("whoever fills in the vault, or looks for a message, is not gone meanwhile", async ({ browser }) => {
  const trade = await openPaidTrade({ client: () => server.client({ "Accept-Language": "en" }) });
  const enter = async (who: "seller" | "buyer") => {
    const page = await person(browser, server.url, true);
    await page.context().addCookies(cookiesFor(trade[who].cookies(), server.url));
    await page.goto(`/chat/${trade.roomId}`);
    await expect(page.getByText("Connected", { exact: true })).toBeVisible();
    return page;
  };
  const [buyer, seller] = [await enter("buyer"), await enter("seller")];
  const bar = buyer.locator("#room-bar");
  await expect(bar.getByText("online", { exact: true })).toBeVisible();
  await buyer.evaluate(() => {
    const words: string[] = [];
    Object.assign(window, { words });
    const note = () =>
      words.push(document.querySelector("#room-bar [data-presence-word]")?.textContent ?? "");
    new MutationObserver(note).observe(document.querySelector("#room-bar") as Element, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  for (const page of ["vault", "search"]) {
    await seller.goto(`/chat/${trade.roomId}/${page}`);
    await expect(seller.locator("[data-present-in]")).toHaveCount(1);
    await expect(bar.getByText("online", { exact: true })).toBeVisible();
    await look(seller, true);
    await expect(bar.getByText("away", { exact: true })).toBeVisible();
    await look(seller, false);
    await expect(bar.getByText("online", { exact: true })).toBeVisible();
  }
  const words = await buyer.evaluate(() => (window as unknown as { words: string[] }).words);
  expect(words.filter((word) => /offline|last seen/.test(word))).toEqual([]);
});

test("marks of one person keep their own form when the server's HTML is fetched again", async ({
  browser,
}) => {
  const [seller] = await twoIn(browser, server);
  await expect(seller.locator("#room-bar").getByText("online", { exact: true })).toBeVisible();
  // The event by which the room's script is asked to keep what is shown.
  const { kept, wanted } = await seller.evaluate(() => {
    const html = (busy: string, state: string, word: string) => `
      <i data-presence-of="7"${state}><b></b><span data-presence-word>${word}</span></i>
      <p data-presence-of="7"${state}><span data-presence-word>${word}</span><u data-busy aria-pressed="${busy}"></u></p>
      <i data-presence-of="8"><span data-presence-word></span></i>`;
    const [shown, fresh] = [document.createElement("div"), document.createElement("div")];
    shown.innerHTML = html("true", ' data-presence="away"', "away");
    fresh.innerHTML = html("false", "", "");
    document.dispatchEvent(new CustomEvent("part-fetched", { detail: { shown, fresh } }));
    const kept = fresh.innerHTML;
    fresh.innerHTML = html("true", ' data-presence="away"', "away");
    return { kept, wanted: fresh.innerHTML };
  });
  expect(kept).toBe(wanted);
});

test("a number is copied with one press, and a link shows its target first", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  await buyer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await say(seller, "5012 345 678 https://midmаn.example/x");
  await hear(buyer, "5012 345 678", true);
  await buyer.getByRole("log").getByRole("button", { name: "5012 345 678" }).click();
  await expect(buyer.getByRole("log").getByRole("status").getByText("Copied")).toBeVisible();
  expect(await buyer.evaluate(() => navigator.clipboard.readText())).toBe("5012345678");

  const opened = buyer.context().waitForEvent("page");
  await buyer.getByRole("link", { name: "https://midmаn.example/x" }).click();
  const away = await opened;
  await expect(away.getByRole("heading", { name: "You're leaving Midman" })).toBeVisible();
  await expect(away.getByText("xn--midmn-7ve.example", { exact: true })).toBeVisible();
  await expect(away.getByText("It looks like Midman's address, but it isn't Midman.")).toBeVisible();
  const goes = away.getByRole("link", { name: "Open the site" });
  await expect(goes).toHaveAttribute("href", "https://xn--midmn-7ve.example/x");
  await expect(goes).toHaveAttribute("rel", "noopener noreferrer nofollow");
  await away.getByRole("link", { name: "Back", exact: true }).click();
  await expect(away).toHaveURL(buyer.url());
});
