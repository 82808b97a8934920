import { describe, expect, test } from "bun:test";
import { formatLongMoment } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { renderMail } from "./render-mail.ts";
import { completeStoredData } from "./stored-data.ts";
import { templateSamples } from "./template-samples.ts";
import { type TemplateName, templateNames, templateSchemas } from "./templates.ts";

/** Each mail about a trade names it, and speaks to the person who reads it. */

type Data = Record<string, string | number>;

const tradeMails = templateNames.filter((name) => "price" in templateSchemas[name].shape);

/** The lines of the text, and those of the HTML's content: both in the order in which they are read. */
function linesOf({ text, html }: { text: string; html: string }): { text: string[]; html: string[] } {
  const lines = (content: string) => content.split("\n").filter((line) => line.trim() !== "");
  const content = html.slice(html.indexOf("</style>")).replaceAll(/<[^>]*>/g, "\n");
  return { text: lines(text), html: lines(content).map((line) => line.trim()) };
}

describe.each([...supportedLanguages])("a mail about a trade (%s)", (language) => {
  test("names the item and the price before anything else it says, in text and HTML alike", () => {
    expect(tradeMails.length).toBeGreaterThan(15);
    const trade = translateText(language, "mail.common.trade", {
      item: translateText(language, "trade.goods.account"),
      price: "150,000\u00a0₮",
    });
    for (const template of tradeMails) {
      const lines = linesOf(renderMail(template, language, templateSamples[template] as Data));
      // After the heading and the greeting.
      expect([template, lines.text[2]]).toEqual([template, trade]);
      expect([template, lines.html.indexOf(trade) < 6, lines.html.includes(trade)]).toEqual([
        template,
        true,
        true,
      ]);
    }
  });

  test("gives the seller's deadline to the buyer as the seller's", () => {
    const { deadline } = templateSamples.paymentConfirmed;
    for (const role of ["buyer", "seller"] as const) {
      const mail = renderMail("paymentConfirmed", language, { ...templateSamples.paymentConfirmed, role });
      const label = translateText(language, `mail.paymentConfirmed.deadline.${role}`);
      const at = formatLongMoment(deadline, language);
      const row = linesOf(mail).text.find((line) => line.includes(at));
      expect([role, row?.startsWith(`- ${label}: `)]).toEqual([role, true]);
      expect(linesOf(mail).html).toContain(label);
    }
    const labels = ["buyer", "seller"].map((role) =>
      translateText(language, `mail.paymentConfirmed.deadline.${role}`),
    );
    expect(labels[0]).toContain(language === "en" ? "seller" : "Худалдагч");
    expect(labels[1]).not.toContain(language === "en" ? "seller" : "Худалдагч");
  });

  test("tells each party what a deadline that has passed means to them", () => {
    const said = (task: string) =>
      renderMail("deadlineOverdue", language, { ...templateSamples.deadlineOverdue, task }).text;
    const pairs = [
      ["pay", "buyerPays"],
      ["handOver", "sellerHandsOver"],
    ] as const;
    for (const [own, awaited] of pairs) {
      expect(said(own)).toContain(translateText(language, `mail.deadlineOverdue.task.${own}`));
      expect(said(awaited)).toContain(translateText(language, `mail.deadlineOverdue.task.${awaited}`));
    }
  });

  test("of a cancelled trade says what happens to the money, also if there is none", () => {
    for (const role of ["buyer", "seller"] as const) {
      const mail = (refund: number) =>
        renderMail("tradeCancelled", language, { ...templateSamples.tradeCancelled, role, refund }).text;
      expect(mail(162_500)).toContain(translateText(language, `mail.tradeCancelled.refund.${role}`));
      expect(mail(162_500)).toContain("162,500 ₮");
      expect(mail(0)).toContain(translateText(language, "mail.tradeCancelled.none"));
    }
  });

  test("tells the seller who withdrew the request that they did", () => {
    const of = (role: "buyer" | "seller") =>
      renderMail("tradeCancelled", language, {
        ...templateSamples.tradeCancelled,
        ...{ role, reason: "withdrawn", refund: 0 },
      }).text;
    expect(of("buyer")).toContain(translateText(language, "trade.cancelled.reason.withdrawn"));
    expect(of("seller")).toContain(translateText(language, "trade.cancelled.reason.withdrawnByYou"));
  });

  test("that an earlier version queued is sent without an item, to the role that it was for", () => {
    for (const template of tradeMails) {
      const { goods: _, price: __, ...before } = templateSamples[template] as Data;
      const { text } = renderMail(template, language, completeStoredData(template, language, before));
      expect([template, text.includes("150,000\u00a0₮") || /\[object/.test(text)]).toEqual([template, false]);
    }
    // Of these the earlier version stored the kind of item, and no price.
    const { price: _, ...request } = templateSamples.paymentRequested as Data;
    const { text } = renderMail(
      "paymentRequested",
      language,
      completeStoredData("paymentRequested", language, request),
    );
    expect(text).not.toContain(translateText(language, `trade.goods.${request.goods}`));
    for (const [other, role] of [
      ["seller", "buyer"],
      ["buyer", "seller"],
    ] as const) {
      const data: Data = {
        ...templateSamples.cancellationRequested,
        other: translateText(language, `mail.them.${other}`),
      };
      delete data.role;
      const { text } = renderMail(
        "cancellationRequested",
        language,
        completeStoredData("cancellationRequested", language, data),
      );
      expect(text).toContain(translateText(language, `mail.cancellationRequested.next.${role}`));
    }
  });
});

test("the kind of an item is in the mail, and no field takes its description", () => {
  const shown: TemplateName[] = templateNames.filter((name) => "description" in templateSchemas[name].shape);
  expect(shown).toEqual(["paymentRequested"]);
  const written = { ...templateSamples.paymentRequested, description: "Buy at evil.example" };
  expect(renderMail("paymentRequested", "en", written).text).not.toContain("evil.example");
});
