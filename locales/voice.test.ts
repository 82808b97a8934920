import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { englishRules } from "./voice-en.fixture.ts";
import { mongolianRules } from "./voice-mn.fixture.ts";
import notYetJson from "./voice-not-yet.json" with { type: "json" };
import { textsFor, type VoiceRule } from "./voice-words.fixture.ts";

/** How Midman writes, as far as a machine can tell. */
const voiceRules: readonly VoiceRule[] = [
  ...englishRules.map((rule) => ({ ...rule, language: "en" as const })),
  ...mongolianRules.map((rule) => ({ ...rule, language: "mn" as const })),
];
const nameOf = (rule: VoiceRule) => `${rule.language}: ${rule.name}`;

/** The specification's own words, which stay as they are; by language and key. */
const quoted = new Set([
  "en: admin.loginTitle", // "Admin login"
  "en: admin.mail.parts.colors", // a tab of the template editor
  "en: errors.AUTH_REQUIRED",
  "en: errors.LAST_ADMIN",
  "en: errors.PROVIDER_UNAVAILABLE",
  "en: errors.ROLES_LOCKED",
  "en: escrow.cancelBoth", // a response mentioning both means that both are done
  "en: escrow.cancelWaiting", // "waiting for other party to confirm"
  "en: escrow.completionBoth",
  "en: escrow.completionWaiting",
  "en: escrow.finding.nothing",
  "en: escrow.infoBoth",
  "en: escrow.infoWaiting",
  "en: header.adminLogin",
  "en: identity.loggedIn",
  "en: identity.loggedOut",
  "en: mail.transactionNotice.state.settlement_pending", // the status
  "en: toast.loggedIn",
  "en: toast.loggedOut",
  "en: trade.banner.payment_confirmed",
  "en: trade.banner.settlement_pending",
  "en: trade.refused.bothConfirmed",
  "en: validation.accountName",
  "en: validation.avatarInitials",
]);

/** Texts that a rule does not hold for yet. No text is added: a text is mended, and its line here removed. */
const notYet: Record<string, string[]> = notYetJson;

const found = new Map(
  voiceRules.map((rule) => [
    nameOf(rule),
    textsFor(rule).filter(
      ({ key, text }) => rule.breaks(text, key) && !quoted.has(`${rule.language}: ${key}`),
    ),
  ]),
);

// `VOICE_SHRINK=1 bun test locales/voice.test.ts` removes from the list what has been mended; it adds nothing.
if (process.env.VOICE_SHRINK === "1") {
  for (const [name, keys] of Object.entries(notYet)) {
    const still = new Set(found.get(name)?.map(({ key }) => key));
    notYet[name] = keys.filter((key) => still.has(key));
    if (notYet[name].length === 0) delete notYet[name];
  }
  writeFileSync(join(import.meta.dir, "voice-not-yet.json"), `${JSON.stringify(notYet, null, 2)}\n`);
}

describe("how Midman writes", () => {
  for (const rule of voiceRules) {
    const name = nameOf(rule);
    test(name, () => {
      const waiting = new Set(notYet[name]);
      const broken = (found.get(name) ?? []).filter(({ key }) => !waiting.has(key));
      expect(broken.map(({ key, text }) => `${key}: ${text}`)).toEqual([]);
      const key = rule.place === "documents" ? "privacy.en.md: a line" : "settings.send";
      expect([rule.breaks(rule.wrong, key), rule.breaks(rule.right, key)]).toEqual([true, false]);
    });
  }

  test("a text that was mended is no longer listed as not yet (VOICE_SHRINK=1 removes it)", () => {
    const mended = Object.entries(notYet).flatMap(([name, keys]) => {
      const still = new Set(found.get(name)?.map(({ key }) => key));
      return keys.filter((key) => !still.has(key)).map((key) => `${name} | ${key}`);
    });
    expect(mended).toEqual([]);
  });

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
      voiceRules.flatMap((rule) =>
        textsFor(rule)
          .filter(({ key, text }) => rule.breaks(text, key))
          .map(({ key }) => `${rule.language}: ${key}`),
      ),
    );
    expect([...quoted].filter((key) => !needed.has(key))).toEqual([]);
  });
});
