import { expect, test } from "@playwright/test";
import { translateText } from "#locales";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { formOf } from "../support/pages/form-of.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade } from "../support/trades/server-trades.ts";
import { person, twoIn } from "./people.ts";

/** An error leaves its field once the field is put right. */

let server: Server;

test.beforeAll(async () => {
  server = await startServer();
});

test.afterAll(async () => {
  await server?.stop();
});

for (const language of ["mn", "en"] as const) {
  test(`in ${language} the payment request keeps each error until its own field is put right`, async ({
    browser,
  }) => {
    const [seller] = await twoIn(browser, server);
    await seller.context().addCookies([{ name: "midman-language", value: language, url: server.url }]);
    await seller.goto(`${seller.url()}/trade`);
    const form = formOf(seller, "create-trade");
    const [amount, kind] = [form.locator("[name=amount]"), form.locator("[name=goods]")];
    await amount.fill("none");
    await form.locator("button:not([type=button])").click();
    const errors = form.getByRole("alert");
    await expect(errors).toHaveText([
      translateText(language, "validation.amount"),
      translateText(language, "validation.goods"),
    ]);
    await kind.selectOption({ index: 1 });
    await expect(errors).toHaveText([translateText(language, "validation.amount")]);
    await expect(kind).not.toHaveAttribute("aria-invalid");
    await expect(kind).toHaveAttribute("aria-describedby", /-hint$/);
    await amount.fill("still none");
    await expect(errors).toHaveCount(1);
    await amount.fill("100k");
    await expect(errors).toHaveCount(0);
    await expect(amount).not.toHaveAttribute("aria-invalid");
    await seller.context().close();
  });

  test(`in ${language} an account number with letters says that it has digits only, until they are gone`, async ({
    browser,
  }) => {
    const deal = await openPaidTrade(server);
    const page = await person(browser, server.url, true);
    const cookies = `${deal.seller.cookies()}; midman-language=${language}`;
    await page.context().addCookies(cookiesFor(cookies, server.url));
    await page.goto(`/chat/${deal.roomId}/trade`);
    const form = formOf(page, "bank-info");
    await form.evaluate((element) => {
      const row = element.closest("details");
      if (row !== null) row.open = true;
    });
    const account = form.locator("[name=accountNumber]");
    await account.fill("12ab");
    await form.locator("button:not([type=button])").click();
    const error = form.getByText(translateText(language, "validation.accountDigits"));
    await expect(error).toBeVisible();
    await account.fill("12abc");
    await expect(error).toBeVisible();
    await account.fill("5012 3456 78");
    await expect(error).toHaveCount(0);
    await page.context().close();
  });
}
