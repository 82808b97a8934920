import { expect, test } from "bun:test";
import { publicUrl } from "#config";
import { foreignOrigin } from "./origin.ts";

const host = "chat.example";
const foreign = (headers: Record<string, string>) => foreignOrigin(new Headers({ host, ...headers }));

test("our own pages and programs may open sockets", () => {
  expect(foreign({ origin: "https://chat.example" })).toBe(false);
  expect(foreign({ origin: new URL(publicUrl()).origin })).toBe(false);
  expect(foreign({})).toBe(false);
  expect(foreign({ "sec-fetch-site": "same-origin" })).toBe(false);
});

test("pages of other sites may not, however they name themselves", () => {
  for (const origin of [
    "https://evil.example",
    "https://chat.example.evil.example",
    "https://chat.example:444",
    "null",
    "",
  ]) {
    expect(foreign({ origin })).toBe(true);
  }
  expect(foreign({ "sec-fetch-site": "same-site" })).toBe(true);
});
