import { afterEach, expect, test } from "bun:test";
import { config, configure } from "#config";
import { readTyped, typedCookie } from "./form-draft-cookie.ts";

const before = config();
afterEach(() => configure(before));

test("what was typed comes back from its cookie, which stays on https where the site is", () => {
  configure({ PUBLIC_URL: "https://midman.example" });
  const cookie = typedCookie({ email: "bat@example.mn" });
  expect(cookie).toContain("; HttpOnly; SameSite=Lax; Secure; ");
  const request = new Request("https://midman.example/", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
  expect(readTyped(request)).toEqual({ email: "bat@example.mn" });
  configure({ PUBLIC_URL: "http://localhost:3000" });
  expect(typedCookie({})).not.toContain("Secure");
});
