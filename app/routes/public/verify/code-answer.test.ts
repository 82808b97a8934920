import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { getTranslator, supportedLanguages, translateText } from "#locales";
import { visibleText } from "../../../../tests/support/pages/visible-text.ts";
import { TranslationProvider } from "../../../ui/frame/i18n.tsx";
import { AnswerCard } from "./code-answer.tsx";
import type { CodeAnswer } from "./types.ts";

/** What the badge says of the money, and how the answer to "Does Midman hold the money?" begins; no badge where there is nothing to say. */
const answers: Array<[CodeAnswer["money"], badge: string | null, en: string, mn: string]> = [
  ["waiting", "waiting", "No", "Үгүй"],
  ["part", "waiting", "Only part of it", "Зөвхөн нэг хэсэг нь"],
  ["checking", null, "Midman is checking", "Midman үүнийг шалгаж байна"],
  ["held", "held", "Yes", "Тийм"],
  ["disputed", "disputed", "Yes", "Тийм"],
  ["refunding", "refunding", "Yes", "Тийм"],
  ["released", "released", "No", "Үгүй"],
  ["returned", "returned", "No", "Үгүй"],
  ["none", null, "No", "Үгүй"],
];

test.each(answers)("of money that is %s, the badge and the row say one thing", (money, badge, en, mn) => {
  const at = "2026-11-21T10:00:00Z";
  const answer = { code: "MM-7K2Q9XAB", goods: "key", state: "confirmed", money } as const;
  for (const language of supportedLanguages) {
    const children = createElement(AnswerCard, {
      answer: { ...answer, changedAt: at, askedAt: at },
      address: "https://midman.mn/verify/",
    });
    const html = renderToStaticMarkup(
      createElement(TranslationProvider, { t: getTranslator(language), language, children }),
    );
    expect(/data-money="(\w+)"/.exec(html)?.[1] ?? null).toBe(badge);
    const question = translateText(language, "verify.holds");
    const said = visibleText(html).split(question)[1]?.trim() ?? "";
    expect(said.startsWith(language === "en" ? en : mn)).toBe(true);
  }
});
