import { afterAll, beforeAll, expect, setSystemTime, spyOn, test } from "bun:test";
import { startPaymentRecheck } from "./payment-recheck.ts";

/** A page with an unpaid QR, in the browser's place. */
const page = {
  reloads: 0,
  rejected: [] as unknown[],
  hear: new Map<string, () => void>(),
  note: { hidden: true },
};
const replaced = {
  document: {
    visibilityState: "visible",
    addEventListener() {},
    querySelector: () => ({ dataset: { recheck: "5" }, querySelector: () => page.note }),
    dispatchEvent: () => true,
  },
  location: { reload: () => void page.reloads++ },
  addEventListener: (type: string, hear: () => void) => page.hear.set(type, hear),
};
const former = Object.keys(replaced).map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);
const asked = spyOn(globalThis, "fetch");
const reject = (error: unknown) => void page.rejected.push(error);

beforeAll(() => {
  process.on("unhandledRejection", reject);
  for (const [name, value] of Object.entries(replaced))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  startPaymentRecheck();
});
afterAll(() => {
  process.off("unhandledRejection", reject);
  for (const [name, was] of former)
    if (was === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, was);
  asked.mockRestore();
  setSystemTime();
});

let minutes = 0;

/** How often the page is loaded again once its reader is back and the server answers so. */
async function reloadsAfter(body: string, status = 200): Promise<number> {
  setSystemTime(new Date(Date.UTC(2026, 10, 27, 0, ++minutes)));
  page.reloads = 0;
  asked.mockImplementation((async () => new Response(body, { status })) as unknown as typeof fetch);
  page.hear.get("focus")?.();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  return page.reloads;
}

test("reloads the page only when its payment has arrived", async () => {
  expect(await reloadsAfter('{"success":true}')).toBe(1);
  expect(await reloadsAfter('{"success":false}')).toBe(0);
  expect(await reloadsAfter('{"success":true}', 503)).toBe(0);
});

test("ignores a response of another form", async () => {
  for (const body of ["", "<p>", "null", "[]", '"success"', "{}", '{"success":"yes"}', '{"success":1}'])
    expect([body, await reloadsAfter(body)]).toEqual([body, 0]);
  expect(page.rejected).toEqual([]);
});
