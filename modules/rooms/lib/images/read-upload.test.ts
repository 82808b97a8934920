import { describe, expect, test } from "bun:test";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { readImage } from "./read-upload.ts";

const megabyte = 1024 * 1024;
const from = (imageData: string) =>
  readImage(new Request("http://localhost/", { method: "POST", body: `{"imageData":"${imageData}"}` }));

describe("a data URL", () => {
  test("is a picture with padding, without it, and with escaped slashes", async () => {
    for (const base64 of ["/+8=", "/+8", "\\/+8="]) {
      expectMatch(await from(`data:image/png;name=a;base64,${base64}`), {
        ok: true,
        picture: Buffer.from([0xff, 0xef]),
      });
    }
  });

  test("that is not entirely base64 is refused, however long", async () => {
    const unreadable = { ok: false, code: "IMAGE_UNREADABLE" } as const;
    const texts = ["/+8=====", "=/+8", `${"=".repeat(12 * megabyte)}A`, "==A".repeat(3 * megabyte)];
    const parameters = `data:image/png${";a=b".repeat(3 * megabyte)};base64,/+8=`;
    const began = performance.now();
    for (const text of texts) expect(await from(`data:image/png;base64,${text}`)).toEqual(unreadable);
    expect(await from(parameters)).toEqual(unreadable);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
