import { expect, test } from "@playwright/test";
import { cookiesFor } from "../support/pages/browser-cookies.ts";
import { agreeToFirstVersion } from "../support/people/consents.ts";
import { registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { misshapen } from "./shape.ts";

/** The page that asks for consent to changed documents, by keyboard, on a phone. */

let server: Server;
test.beforeAll(async () => {
  server = await startServer();
});
test.afterAll(async () => {
  await server?.stop();
});

const words = {
  en: { agree: "I agree", terms: /^Terms of Service, /, settings: "Settings" },
  mn: { agree: "Зөвшөөрч байна", terms: /^Үйлчилгээний нөхцөл, /, settings: "Тохиргоо" },
};

for (const [language, { agree, terms, settings }] of Object.entries(words))
  for (const script of [true, false])
    test(`in ${language}, ${script ? "with" : "without"} script, a person reads, agrees and goes on`, async ({
      browser,
    }) => {
      const client = () => server.client({ "Accept-Language": language });
      const person = await registerPerson({ client });
      await agreeToFirstVersion(server.databaseUrl, person.id);
      const context = await browser.newContext({
        baseURL: server.url,
        javaScriptEnabled: script,
        viewport: { width: 360, height: 740 },
        locale: language,
      });
      await context.addCookies(cookiesFor(person.cookies(), server.url));
      const page = await context.newPage();
      await page.goto("/settings");
      await expect(page).toHaveURL("/agree?next=%2Fsettings");
      expect(await misshapen(page)).toEqual([]);

      await page.getByRole("link", { name: terms }).focus();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL("/terms-of-service");
      await page.goBack();

      const button = page.getByRole("button", { name: agree });
      await page.locator("#main").focus();
      for (let stop = 0; stop < 10; stop++) {
        await page.keyboard.press("Tab");
        if (await button.evaluate((element) => element === document.activeElement)) break;
      }
      await expect(button).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL("/settings");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(settings);
      await context.close();
    });
