import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { englishRules } from "./voice-en.fixture.ts";
import { mongolianRules } from "./voice-mn.fixture.ts";
import { textsFor, type VoiceRule } from "./voice-words.fixture.ts";

/** How Midman writes, as far as a machine can tell. */
const voiceRules: readonly VoiceRule[] = [
  ...englishRules.map((rule) => ({ ...rule, language: "en" as const })),
  ...mongolianRules.map((rule) => ({ ...rule, language: "mn" as const })),
];

/** The specification's own words, which stay as they are; by language and key. */
const quoted = new Set([
  "en: admin.loginTitle", // "Admin login"
  "en: admin.mail.parts.colors", // a tab of the template editor
  "en: errors.AUTH_REQUIRED",
  "en: errors.LAST_ADMIN",
  "en: errors.PROVIDER_UNAVAILABLE",
  "en: escrow.cancelBoth", // a response mentioning both means that both are done
  "en: escrow.cancelWaiting", // "waiting for other party to confirm"
  "en: escrow.completionBoth",
  "en: escrow.completionWaiting",
  "en: escrow.finding.nothing",
  "en: escrow.infoBoth",
  "en: escrow.infoWaiting",
  "en: identity.loggedIn",
  "en: identity.loggedOut",
  "en: guards.authRequired",
  "en: toast.loggedIn",
  "en: toast.loggedOut",
  "en: trade.refused.bothConfirmed",
  "en: trade.refused.noProvider",
  "en: validation.accountName",
  "en: validation.avatarInitials",
]);

/** The texts of a rule's language and place that break it. */
const breaking = (rule: VoiceRule) => textsFor(rule).filter(({ key, text }) => rule.breaks(text, key));

describe("how Midman writes", () => {
  for (const rule of voiceRules) {
    test(`${rule.language}: ${rule.name}`, () => {
      const broken = breaking(rule).filter(({ key }) => !quoted.has(`${rule.language}: ${key}`));
      expect(broken.map(({ key, text }) => `${key}: ${text}`)).toEqual([]);
      const key = rule.place === "documents" ? "privacy.en.md: a line" : "settings.send";
      expect([rule.breaks(rule.wrong, key), rule.breaks(rule.right, key)]).toEqual([true, false]);
    });
  }

  test("the mails' templates have no words of their own, so these rules reach every mail", () => {
    const root = join(import.meta.dir, "..");
    const paths = [...new Bun.Glob("emails/**/*.hbs").scanSync({ cwd: root })];
    const words = (template: string) =>
      template
        .replaceAll(/<style[\s\S]*?<\/style>|\{\{[\s\S]*?\}\}+|<[^>]*>|&\w+;/g, " ")
        .match(/\p{L}{2,}/gu);
    expect(words("<p>{{name}}, pay now</p>")).toEqual(["pay", "now"]);
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => words(readFileSync(join(root, path), "utf8")))).toEqual([]);
  });

  test("every text quoted from the specification is in the catalogue, and breaks a rule", () => {
    const needed = new Set(
      voiceRules.flatMap((rule) => breaking(rule).map(({ key }) => `${rule.language}: ${key}`)),
    );
    expect([...quoted].filter((key) => !needed.has(key))).toEqual([]);
  });
});
