import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { formDraftCookie, readFormDraft } from "./form-draft-cookie.ts";

const before = config();
afterEach(() => overrideConfig(before));

test("typed input comes back from its cookie, which is https-only on an https site", () => {
  overrideConfig({ PUBLIC_URL: "https://midman.example" });
  const cookie = formDraftCookie({ email: "bat@example.mn" });
  expect(cookie).toContain("; HttpOnly; SameSite=Lax; Secure; ");
  const request = new Request("https://midman.example/", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
  expect(readFormDraft(request)).toEqual({ email: "bat@example.mn" });
  overrideConfig({ PUBLIC_URL: "http://localhost:3000" });
  expect(formDraftCookie({})).not.toContain("Secure");
});
