import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
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

describe("an upload", () => {
  afterEach(() => {
    setSystemTime();
  });

  /** Reads a body of `announced` bytes: `first` of them arrive at once, and one more after `seconds`. */
  async function readSlowly(announced: number, first: number, seconds: number) {
    const start = Date.now();
    const head = '{"imageData":"data:image/png;base64,';
    const base64 = "AAAA".repeat(Math.floor((first - head.length - 1) / 4));
    const whole = Buffer.from(`${head}${base64}"${" ".repeat(first - head.length - base64.length - 1)}}`);
    const body = new ReadableStream({
      pull(controller) {
        if (Date.now() - start < 1_000) {
          controller.enqueue(whole.subarray(0, first));
          setSystemTime(start + seconds * 1_000);
        } else {
          controller.enqueue(whole.subarray(first));
          controller.close();
        }
      },
    });
    const headers = { "content-length": String(announced) };
    try {
      return (await readImage(new Request("http://localhost/", { method: "POST", body, headers }))).ok;
    } finally {
      setSystemTime();
    }
  }

  test("that does not go on after twenty seconds is ended", async () => {
    expect(await readSlowly(14 * megabyte, 100, 21)).toBe(false);
    expect(await readSlowly(60_000, 100, 21)).toBe(false);
  });

  test("that could not arrive within five minutes at twice its pace is ended", async () => {
    expect(await readSlowly(14 * megabyte, megabyte, 60)).toBe(false);
    expect(await readSlowly(14 * megabyte, 2 * megabyte, 60)).toBe(true);
  });

  test("from a slow phone arrives: a pause at first, then three kilobytes a second", async () => {
    expect(await readSlowly(60_000, 100, 19)).toBe(true);
    expect(await readSlowly(60_000, 60_000, 20)).toBe(true);
    expect(await readSlowly(700_000, 699_999, 233)).toBe(true);
  });
});
