import { defineConfig } from "@playwright/test";
import { chromiumOptions } from "./tests/support/pages/chromium-options.ts";

export default defineConfig({
  testDir: "tests/e2e",
  fullyParallel: false,
  // Each file has a server of its own, or each worker one for all the screens. A worker keeps one core busy.
  workers: "100%",
  retries: 0,
  timeout: 120_000,
  // What is waited for comes at once on an idle machine, and in seconds on a busy one.
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "test-results/results.json" }]],
  use: {
    locale: "en-US",
    timezoneId: "Asia/Ulaanbaatar",
    // Without a graphics card each frame of a moving page costs processor time: a third of the browser's. `first-flight.spec.ts` and
    // `trade.spec.ts` let pages move.
    contextOptions: { reducedMotion: "reduce" },
    // A file that changes one of the next three gets workers, browsers and worlds of its own.
    screenshot: "only-on-failure",
    // A trace costs a quarter of a test. To keep those of failed tests: `bun run test:e2e --trace retain-on-failure`.
    trace: "off",
    launchOptions: chromiumOptions("shell"),
  },
});
