import { expect, test } from "@playwright/test";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { hear, person, say, twoIn } from "./people.ts";

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

test("a message is found by its words without script, and the result leads to its place", async ({
  browser,
}) => {
  const [seller, buyer] = await twoIn(browser, server);
  await say(seller, "Имэйл хаяг: sarnai@example.mn");
  await say(seller, "Баярлалаа");
  const plain = await person(browser, server.url, false);
  await plain.context().addCookies(await buyer.context().cookies());
  await plain.goto(`${new URL(buyer.url()).pathname}`);
  await plain.getByLabel("Room menu").click();
  await plain.getByRole("link", { name: "Search the messages" }).click();
  await plain.getByLabel("Words in a message").fill("ИМЭЙЛ ХАЯГ");
  await plain.getByRole("button", { name: "Find messages" }).click();
  const found = plain.getByRole("main").getByRole("listitem");
  await expect(found).toHaveCount(1);
  await expect(found).toContainText("Seller One");
  await found.getByRole("link").click();
  await expect(plain).toHaveURL(/\?at=\d+#m\d+$/);
  await expect(plain.getByRole("log").getByText("Имэйл хаяг")).toBeInViewport();
});

test("unsent words show at their room in the list until they are sent", async ({ browser }) => {
  const [seller] = await twoIn(browser, server);
  const room = new URL(seller.url()).pathname;
  await seller.getByLabel("Write a message").fill("not yet");
  await seller.goto("/chat");
  await expect(seller.getByText("Draft: not yet")).toBeVisible();
  await seller.goto(room);
  await expect(seller.getByLabel("Write a message")).toHaveValue("not yet");
  await seller.getByRole("button", { name: "Send" }).click();
  await expect(seller.getByRole("log").getByText("not yet")).toHaveCount(1);
  await seller.goto("/chat");
  await expect(seller.getByText("Draft:")).toHaveCount(0);
});

test("messages that come while the page is out of sight are counted in its title", async ({ browser }) => {
  const [seller, buyer] = await twoIn(browser, server);
  const look = (state: "hidden" | "visible") =>
    buyer.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const title = await buyer.title();
  await look("hidden");
  await say(seller, "first news");
  await say(seller, "second news");
  await hear(buyer, "second news", true);
  await expect(buyer).toHaveTitle(`(2) ${title}`);
  // Read at another device.
  const shown = await buyer.getByRole("log").locator("li[id]").last().getAttribute("id");
  const read = `/api/chat/rooms/${new URL(buyer.url()).pathname.split("/").at(-1)}/read`;
  expect((await buyer.request.post(read, { data: { seq: Number(shown?.slice(1)) } })).status()).toBe(200);
  await expect(buyer).toHaveTitle(title);
  await say(seller, "third news");
  await expect(buyer).toHaveTitle(`(1) ${title}`);
  await look("visible");
  await expect(buyer).toHaveTitle(title);
});
