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

/** The mails whose button says what their reader is to do. */
const actionMails: readonly TemplateName[] = [
  ...(["paymentRequested", "handedOver", "confirmPlease", "cancellationRequested"] as const),
  ...(["refundAccountNeeded", "refundAccountNamed", "disputeOpened", "vaultReminder"] as const),
];

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
    for (const [role, account, words] of [
      ["buyer", "needed", "buyer.needed"],
      ["buyer", "known", "buyer.known"],
      ["buyer", "", "buyer.unknown"],
      ["seller", "", "seller"],
    ] as const) {
      const mail = (refund: number) =>
        renderMail("tradeCancelled", language, {
          ...{ ...templateSamples.tradeCancelled, role, account, refund },
          deadline: account === "needed" ? templateSamples.tradeCancelled.deadline : "",
        }).text;
      const where = translateText(language, "mail.common.where.page");
      expect(mail(162_500)).toContain(
        translateText(language, `mail.tradeCancelled.refund.${words}`, { where }),
      );
      expect(mail(162_500)).toContain("162,500 ₮");
      expect(mail(0)).toContain(translateText(language, "mail.tradeCancelled.none"));
      const says = (key: string) => mail(162_500).includes(translateText(language, `mail.common.${key}`));
      const asks = ["accountBy", "accountWait.before", "addAccount"].map(says);
      expect(says("accountWait.after")).toBe(false);
      expect([role, account, ...asks]).toEqual([role, account, ...asks.map(() => account === "needed")]);
    }
  });

  test("that asks for a refund's account names the time by which to add it, and what follows", () => {
    const { deadline } = templateSamples.refundAccountNeeded;
    for (const template of ["refundAccountNeeded", "tradeCancelled", "disputeStep"] as const) {
      const said = (given: string) =>
        linesOf(renderMail(template, language, { ...templateSamples[template], deadline: given })).text;
      const label = `- ${translateText(language, "mail.common.accountBy")}: `;
      const row = said(deadline).find((line) => line.startsWith(label));
      expect([template, row?.includes(formatLongMoment(deadline, language))]).toEqual([template, true]);
      const before = translateText(language, "mail.common.accountWait.before");
      const after = translateText(language, "mail.common.accountWait.after");
      expect(said(deadline)).toContain(before);
      expect(said(deadline)).not.toContain(after);
      // Once the time has passed, an account is still needed, and nobody can add one in time.
      expect(said("").some((line) => line.startsWith(label))).toBe(false);
      expect(said("")).toContain(after);
      expect(said("")).not.toContain(before);
    }
  });

  test("says in its text which page its link opens", () => {
    const pages = { room: "/chat/12", page: "/transactions/12" } as const;
    const whereOf = (place: "room" | "page") => translateText(language, `mail.common.where.${place}`);
    const tasked = ["deadlineReminder", "deadlineOverdue"] as const;
    for (const template of [
      "refundAccountNeeded",
      "tradeCancelled",
      "refundAccountNamed",
      ...tasked,
    ] as const)
      for (const [place, other] of [
        ["room", "page"],
        ["page", "room"],
      ] as const) {
        const sample = templateSamples[template];
        const data = "task" in sample ? { ...sample, task: "refundAccount" } : sample;
        const { text } = renderMail(template, language, { ...data, url: pages[place] } as Data);
        expect([template, place, text.includes(whereOf(place))]).toEqual([template, place, true]);
        expect([template, place, text.includes(whereOf(other))]).toEqual([template, place, false]);
      }
  });

  test("has a button for what its reader is to do, or else one that names the page", () => {
    const openLabel = (place: "room" | "page") => `${translateText(language, `mail.common.open.${place}`)}:`;
    const pages = { room: "/chat/12", page: "/transactions/12" } as const;
    for (const template of tradeMails)
      for (const place of ["room", "page"] as const) {
        // Nobody is asked for an account.
        const sample: Data = { ...templateSamples[template] };
        const data = { ...sample, ...("account" in sample && { account: "known" }), url: pages[place] };
        const { text } = linesOf(renderMail(template, language, data));
        const named = [openLabel("room"), openLabel("page")].filter((label) => text.includes(label));
        expect([template, ...named]).toEqual(
          actionMails.includes(template) ? [template] : [template, openLabel(place)],
        );
      }
  });

  test("that asks for an account has the button that adds it", () => {
    for (const template of ["refundAccountNeeded", "tradeCancelled", "disputeStep"] as const) {
      const { text } = linesOf(renderMail(template, language, templateSamples[template]));
      expect([template, ...text]).toContain(`${translateText(language, "mail.common.addAccount")}:`);
      expect([template, ...text]).not.toContain(`${translateText(language, "mail.common.open.page")}:`);
    }
  });

  test("that asks the seller to confirm names the time, and the account if it must be added first", () => {
    const said = (account: "known" | "needed" | "", deadline: string) =>
      renderMail("confirmPlease", language, { ...templateSamples.confirmPlease, account, deadline }).text;
    const { deadline, other } = templateSamples.confirmPlease;
    const where = translateText(language, "mail.common.where.page");
    const label = translateText(language, "mail.common.confirmBy");
    for (const [account, words] of [
      ["known", "known"],
      ["needed", "needed"],
      ["", "unknown"],
    ] as const) {
      const body = translateText(language, `mail.confirmPlease.body.seller.${words}`, { other, where });
      expect(said(account, deadline)).toContain(body);
      expect(said(account, deadline)).toContain(`- ${label}: ${formatLongMoment(deadline, language)}`);
      expect(said(account, "")).not.toContain(label);
    }
  });

  test("of a late handover asks a buyer who has confirmed only to check", () => {
    const said = (deadline: string) =>
      renderMail("handedOver", language, { ...templateSamples.handedOver, deadline }).text;
    const { deadline, other } = templateSamples.handedOver;
    const open = translateText(language, "mail.handedOver.body.open", { other });
    const confirmed = translateText(language, "mail.handedOver.body.confirmed", { other });
    expect([said(deadline).includes(open), said(deadline).includes(confirmed)]).toEqual([true, false]);
    expect([said("").includes(open), said("").includes(confirmed)]).toEqual([false, true]);
  });

  test("of a dispute's end asks each party who gets money for the account that is theirs, unless it is known", () => {
    const where = translateText(language, "mail.common.where.page");
    const add = translateText(language, "mail.common.addAccount");
    for (const [step, role] of [
      ...([
        ["ruledSplit", "buyer"],
        ["ruledSplit", "seller"],
      ] as const),
      ...([
        ["released", "seller"],
        ["ruledRelease", "seller"],
      ] as const),
    ])
      for (const account of ["needed", "known", ""] as const) {
        const data = { ...templateSamples.disputeStep, step, role, account, deadline: "" };
        const key = `${step}${step === "ruledSplit" ? "" : ".seller"}.${account || "unknown"}`;
        const { text } = renderMail("disputeStep", language, data);
        expect(text).toContain(translateText(language, `mail.disputeStep.next.${key}`, { where }));
        expect([key, role, text.includes(`${add}:`)]).toEqual([key, role, account === "needed"]);
        // An administrator can add one only for a refund.
        const late = text.includes(translateText(language, "mail.common.accountWait.after"));
        expect([key, role, late]).toEqual([key, role, account === "needed" && role === "buyer"]);
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

  test("of a request to cancel promises no refund while Midman checks the trade", () => {
    const said = (role: "buyer" | "seller", checked: "yes" | "no") =>
      renderMail("cancellationRequested", language, {
        ...templateSamples.cancellationRequested,
        ...{ role, checked },
      }).text;
    for (const role of ["buyer", "seller"] as const) {
      const refunds = translateText(language, `mail.cancellationRequested.next.${role}`);
      const waits = translateText(language, "mail.cancellationRequested.next.checked");
      expect([said(role, "no").includes(refunds), said(role, "no").includes(waits)]).toEqual([true, false]);
      expect([said(role, "yes").includes(refunds), said(role, "yes").includes(waits)]).toEqual([false, true]);
    }
  });

  test("that an earlier version queued is sent although it lacks what that version did not store", () => {
    const lacked: Array<[TemplateName, readonly string[], string]> = [
      ["tradeCancelled", ["account", "deadline"], "mail.tradeCancelled.refund.buyer.unknown"],
      ["disputeStep", ["account", "deadline"], "mail.disputeStep.next.ruledSplit.unknown"],
      ["refundAccountNeeded", ["deadline"], "mail.common.accountWait.after"],
      ["confirmPlease", ["account", "deadline"], "mail.confirmPlease.body.seller.unknown"],
      ["cancellationRequested", ["checked"], "mail.cancellationRequested.next.buyer"],
    ];
    for (const [template, fields, key] of lacked) {
      const stored = Object.fromEntries(
        Object.entries(templateSamples[template]).filter(([name]) => !fields.includes(name)),
      );
      const { text } = renderMail(template, language, completeStoredData(template, language, stored));
      const values = {
        where: translateText(language, "mail.common.where.page"),
        other: String(stored.other),
      };
      expect(text).toContain(translateText(language, key, values));
    }
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
      delete data.checked;
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
