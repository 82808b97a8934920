import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { formDraftCookie, readFormDraft } from "./form-draft-cookie.ts";

const before = config();
afterEach(() => overrideConfig(before));

test("what was typed comes back from its cookie, which stays on https where the site is", () => {
  overrideConfig({ PUBLIC_URL: "https://midman.example" });
  const cookie = formDraftCookie({ email: "bat@example.mn" });
  expect(cookie).toContain("; HttpOnly; SameSite=Lax; Secure; ");
  const request = new Request("https://midman.example/", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
  expect(readFormDraft(request)).toEqual({ email: "bat@example.mn" });
  overrideConfig({ PUBLIC_URL: "http://localhost:3000" });
  expect(formDraftCookie({})).not.toContain("Secure");
});
