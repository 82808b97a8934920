import { expect, test } from "bun:test";
import { findInAppBrowser, readPayerDevice } from "./payer-device.ts";

const android =
  "Mozilla/5.0 (Linux; Android 13; SM-A135F Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko)";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [
    `${android} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/485.0.0.0;]`,
    "android",
  ],
  [
    `${android} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/492.0.0.55.109;]`,
    "android",
  ],
  [`${android} Version/4.0 Chrome/130.0 Mobile Safari/537.36 Instagram 356.0.0.41.101 Android`, "android"],
  [`${iphone} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/484.0.0;FBDV/iPhone12,1]`, "ios"],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/490.1.0;FBDV/iPhone14,5]`, "ios"],
  [`${iphone} Mobile/15E148 Instagram 355.0.0.36.96 (iPhone14,5; iOS 17_4)`, "ios"],
  [`${android.replace("; wv", "")} Chrome/131.0.0.0 Mobile Safari/537.36`, null],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1`, null],
  ["Mozilla/5.0 (X11; Linux x86_64) [FBAV/1]", null],
  ["", null],
] as const)("the browser of %s is inside an app of %p", (userAgent, system) => {
  expect(findInAppBrowser(userAgent)).toBe(system);
});

test("the bank that was opened last is what the browser says", () => {
  const read = (cookie: string) =>
    readPayerDevice(new Request("http://midman.example/", { headers: { cookie } }));
  expect(read("midman-bank=khanbank").lastBank).toBe("khanbank");
  expect(read("").lastBank).toBeNull();
});
