import { afterAll, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { readSecuritySection } from "../../../tests/support/sources/security-docs.ts";
import { securityHeaders } from "./security-headers.ts";

afterAll(() => overrideConfig({ TRUST_PROXY: undefined }));

test("docs/security/browser.md lists the headers of every response, with their values", () => {
  overrideConfig({ TRUST_PROXY: true });
  const request = new Request("http://localhost/faq", { headers: { "X-Forwarded-Proto": "https" } });
  const { "Content-Security-Policy": policy = "", ...others } = securityHeaders(request);
  const rows = readSecuritySection("browser", "Headers").matchAll(/^\| `([\w-]+)` \| (.*) \|$/gm);
  const listed = new Map([...rows].map(([, name = "", value = ""]) => [name, value]));
  expect([...listed.keys()].sort()).toEqual(["Content-Security-Policy", ...Object.keys(others)].sort());
  for (const [name, value] of Object.entries(others))
    expect([name, listed.get(name)]).toEqual([name, expect.stringContaining(`\`${value}\``)]);
  const described = readSecuritySection("browser", "Content security policy");
  const [standard = "", ...directives] = policy.split("; ");
  expect(described).toContain(`\`${standard}\``);
  expect(described).toContain("`frame-ancestors 'none'`");
  const allowed = directives.filter((directive) => !directive.endsWith("'none'"));
  expect(
    allowed.filter((directive) => !/^[a-z]+-src 'self'( data: blob:)?$|^form-action 'self'$/.test(directive)),
  ).toEqual([]);
  expect(allowed).toContain("img-src 'self' data: blob:");
});
