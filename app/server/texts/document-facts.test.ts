import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { type Config, config, overrideConfig } from "#config";
import { documentNames, getPublishedDocument } from "#documents";
import { formatLongDay } from "#format";
import { consentVersions } from "#forms/identity";
import { type Language, supportedLanguages } from "#locales";
import { readDocumentFacts } from "./document-facts.ts";

process.env.ALLOW_SANDBOX = "true";
const before = config();
afterEach(() => overrideConfig(before));

const set = (parts: Partial<Config>) => overrideConfig({ ...before, ...parts });

function textOf(name: (typeof documentNames)[number], language: Language): string {
  return JSON.stringify(getPublishedDocument(name, language, readDocumentFacts(language)));
}

describe("the figures of the published texts", () => {
  test("every text finds every figure under each fee policy", () => {
    for (const FEE_POLICY of ["standard", "terms"] as const) {
      set({ FEE_POLICY });
      for (const name of documentNames)
        for (const language of supportedLanguages) expect(textOf(name, language)).not.toContain("{{");
    }
  });

  test("another fee policy changes the rule, refund and examples in both languages", () => {
    set({ FEE_POLICY: "standard" });
    expect(readDocumentFacts("en")).toMatchObject({
      feeRule: "5,000 ₮ for prices up to 50,000 ₮; above that, 5,000 ₮ plus 5% of the price",
      exampleFee: "15,000 ₮",
      exampleBuyerPays: "215,000 ₮",
      exampleBuyerGets: "200,000 ₮",
      exampleSellerPays: "200,000 ₮",
      exampleSellerGets: "185,000 ₮",
      exampleSplitPays: "207,500 ₮",
      exampleSplitGets: "192,500 ₮",
      exampleSmallFee: "5,000 ₮",
    });
    expect(textOf("terms", "en")).toContain("including the service fee");
    expect(textOf("terms", "mn")).toContain("шимтгэлийн хамт бүтнээр нь буцаан олгоно");
    set({ FEE_POLICY: "terms" });
    expect(readDocumentFacts("en")).toMatchObject({
      feeRule: "7% of the price, with a minimum of 5,000 ₮",
      exampleFee: "14,000 ₮",
      exampleBuyerPays: "214,000 ₮",
      exampleSellerGets: "186,000 ₮",
      exampleSplitPays: "207,000 ₮",
    });
    expect(textOf("terms", "en")).toContain("we refund the service fee only if");
    expect(textOf("terms", "en")).not.toContain("including the service fee");
    expect(textOf("terms", "mn")).toContain("шимтгэлийг буцаахгүй");
    expect(textOf("terms", "mn")).toContain("үнийн 7 хувь");
    expect(textOf("faq", "mn")).toContain("үнийн 7 хувь");
  });

  test("the durations are those that the trade, the accounts and the log use", () => {
    expect(readDocumentFacts("en")).toMatchObject({
      qrLifetime: "10 minutes",
      paymentWindow: "2 hours",
      neverInvoiced: "24 hours",
      handOver: "24 hours",
      buyerReminder: "6 hours",
      buyerFinish: "12 hours",
      adminReview: "24 hours",
      sellerFinish: "12 hours",
      payout: "3 hours",
      refundAccount: "24 hours",
      disputeStatements: "24 hours",
      disputeRuling: "48 hours",
      manualConfirmation: "2 working days",
      retentionRecords: "2 years",
      retentionTraces: "30 days",
      retentionLogs: "90 days",
      privacyAnswer: "30 days",
      resetLink: "1 hour",
      changePassword: "1 hour",
      passwordMinimum: "6",
      passwordAdvised: "12",
      largestSum: "999,999,999 ₮",
      correctionWait: "3 hours",
      signInTicket: "5 minutes",
      passkeyTicket: "5 minutes",
      contactShown: "4",
      changeNotice: "14 days",
      termsDate: "27\u00a0November\u00a02026",
      privacyDate: "29\u00a0November\u00a02026",
    });
    expect(readDocumentFacts("mn")).toMatchObject({
      qrLifetime: "10 минут",
      payout: "3 цаг",
      manualConfirmation: "ажлын 2 өдөр",
      retentionRecords: "2 жил",
      retentionTraces: "30 хоног",
      payoutWithin: "3 цагийн дотор",
      manualConfirmationWithin: "ажлын 2 өдрийн дотор",
      privacyAnswerWithin: "30 хоногийн дотор",
      qrLifetimeWithin: "10 минутын дотор",
      mailReplyWithin: "24–48 цагийн дотор",
      termsDate: formatLongDay(consentVersions.terms, "mn"),
    });
  });

  test("the operator is the one of the settings, in terms and privacy in both languages", () => {
    for (const language of supportedLanguages)
      for (const name of ["terms", "privacy"] as const)
        expect(textOf(name, language)).toContain("Example LLC");
    const operator = {
      OPERATOR_NAME: "Хадаг & Co",
      OPERATOR_REGISTRATION: "6123456",
      OPERATOR_ADDRESS: "Peace Ave 12",
    };
    set(operator);
    for (const language of supportedLanguages)
      for (const name of ["terms", "privacy"] as const) {
        const text = textOf(name, language);
        expect(text).toContain("Хадаг &amp; Co");
        expect(text).toContain("6123456");
        expect(text).toContain("Peace Ave 12");
        expect(text).not.toContain("Example LLC");
      }
  });

  test("two administrators decide above the limit of the settings, and one where it is off", () => {
    set({ PAYOUT_FOUR_EYES_ABOVE: 750_000 });
    expect(textOf("terms", "en")).toContain("For more than 750,000 ₮ two administrators are needed.");
    expect(textOf("terms", "en")).toContain(
      "For more than 750,000 ₮ a second administrator must confirm the decision.",
    );
    expect(textOf("terms", "mn")).toContain("750,000 ₮ давсан дүнг хоёр админ батална.");
    set({ PAYOUT_FOUR_EYES_ABOVE: "off" });
    expect(textOf("terms", "en")).toContain("One administrator is enough for any amount.");
    expect(textOf("terms", "en")).not.toContain("two administrators are needed");
    expect(textOf("terms", "mn")).toContain("нэг админ шийдвэрлэнэ");
  });

  test("contacts come from the configuration", () => {
    set({ SUPPORT_EMAIL: "help@midman.example", SUPPORT_PHONE: "+976 1" });
    expect(textOf("privacy", "mn")).toContain("help@midman.example");
    expect(textOf("terms", "en")).toContain("+976 1");
  });

  test("one configuration has one set of figures per language", () => {
    expect(readDocumentFacts("mn")).toBe(readDocumentFacts("mn"));
    expect(readDocumentFacts("mn")).not.toBe(readDocumentFacts("en"));
  });

  test("both languages have the same facts", () => {
    expect(Object.keys(readDocumentFacts("en"))).toEqual(Object.keys(readDocumentFacts("mn")));
  });
});

test("the privacy policy names every cookie, and no other", async () => {
  const root = join(import.meta.dir, "..", "..", "..");
  const set = new Set<string>();
  for await (const path of new Glob("{app,modules}/**/*.{ts,tsx}").scan({ cwd: root })) {
    if (/\.test\.tsx?$/.test(path)) continue;
    for (const [, name = ""] of (await Bun.file(join(root, path)).text()).matchAll(/"(midman-[a-z]+)"/g)) {
      set.add(name);
    }
  }
  for (const language of supportedLanguages) {
    const { html } =
      getPublishedDocument("privacy", language, readDocumentFacts(language)).sections.find(
        ({ id }) => id === "cookies",
      ) ?? {};
    const named = [...(html ?? "").matchAll(/<code>(midman-[a-z]+)<\/code>/g)].map(([, name = ""]) => name);
    expect(named.toSorted()).toEqual([...set].toSorted());
  }
});
