import { defineConfig } from "@playwright/test";
import { chromiumOptions } from "./tests/support/pages/chromium-options.ts";

export default defineConfig({
  testDir: "tests/e2e",
  fullyParallel: false,
  // Each file has a server of its own, or each worker one for all the screens.
  workers: 2,
  retries: 0,
  timeout: 120_000,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "test-results/results.json" }]],
  use: {
    locale: "en-US",
    timezoneId: "Asia/Ulaanbaatar",
    screenshot: "only-on-failure",
    // What each step saw of the page; a film of the whole test beside it would cost a sixth of the test.
    trace: { mode: "retain-on-failure", screenshots: false },
    launchOptions: chromiumOptions("shell"),
  },
});
