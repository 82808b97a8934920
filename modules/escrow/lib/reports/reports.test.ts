import { describe, expect, test } from "bun:test";
import { db } from "#db/client";
import type { Actor } from "#modules/identity";
import { openHoldReasons } from "#modules/payments";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { createPaidTrade, useSandboxProvider } from "../../../../tests/support/trades/sandbox-trades.ts";
import { tradeNow } from "../core/trade.fixture.ts";
import { verifyCode } from "../verification/verify-code.ts";
import { fileReport } from "./file-report.ts";
import { listReports } from "./list-reports.ts";
import { previewReport } from "./preview-report.ts";

useDatabase();
useSandboxProvider();

let people = 0;
const visitor = (): Actor => ({
  ...{ kind: "visitor", ip: `192.0.2.${++people}`, device: "test", language: "en", requestId: "" },
});
const said = { happened: "other_payment" as const, words: "They asked me to pay for a phone" };
const ofCode = (code: string) => ({ about: "code" as const, code, ...said });

describe("reporting a code", () => {
  test("is throttled like verifying one, by both forms, for codes that do not exist", async () => {
    const { code } = await plantTrade();
    const guesser = visitor();
    expect(await previewReport(guesser, ofCode(code))).toMatchObject({ ok: true, shown: { code } });
    const unknown = { ok: false, code: "REPORT_SUBJECT_NOT_FOUND" };
    for (let n = 0; n < 20; n++) {
      expect(await previewReport(guesser, ofCode("MM-00000000"))).toEqual(unknown as never);
      expect(await previewReport(guesser, ofCode("nonsense"))).toEqual(unknown as never);
    }
    for (let n = 0; n < 18; n++) await verifyCode(guesser, "MM-00000000");
    for (let n = 0; n < 2; n++)
      expect(await fileReport(guesser, ofCode("MM-00000000"))).toEqual(unknown as never);
    for (const answer of [
      await previewReport(guesser, ofCode("MM-00000000")),
      await verifyCode(guesser, "MM-00000000"),
      await fileReport(guesser, ofCode("MM-00000000")),
    ]) {
      expect(answer).toMatchObject({ ok: false, code: "THROTTLED" });
    }
    expect(await previewReport(guesser, ofCode(code))).toMatchObject({ ok: true });
    expect(await previewReport(visitor(), ofCode("MM-00000000"))).toEqual(unknown as never);
  });

  test("by a stranger puts its trade on hold, three trades a day from one network", async () => {
    const stranger = visitor();
    const held: number[] = [];
    for (let n = 0; n < 4; n++) {
      const deal = await createPaidTrade();
      const { code } = await tradeNow(deal);
      expect(await fileReport(stranger, ofCode(code))).toMatchObject({ ok: true, changed: true });
      held.push((await openHoldReasons(db(), deal.id)).length);
    }
    expect(held).toEqual([1, 1, 1, 0]);
  });

  test("counts none of those three if nothing is put on hold", async () => {
    const stranger = visitor();
    const [unpaid, deal] = [await plantTrade(), await createPaidTrade()];
    const { code } = await tradeNow(deal);
    for (let n = 0; n < 3; n++) await fileReport(stranger, ofCode(unpaid.code));
    await fileReport(stranger, { ...ofCode(code), happened: "abuse" });
    await fileReport(stranger, { ...ofCode(code), website: "http://spam.example" });
    expect(await openHoldReasons(db(), deal.id)).toEqual([]);
    await fileReport(stranger, ofCode(code));
    expect(await openHoldReasons(db(), deal.id)).toEqual(["FRAUD_REPORT"]);
  });
});

test("a member who must change password or name, or agree to new documents, first cannot report anything before that", async () => {
  const [{ code }, member] = [await plantTrade(), await plantUser()];
  for (const [must, refusal] of [
    [{ mustChangePassword: true }, "PASSWORD_CHANGE_REQUIRED"],
    [{ mustChooseName: true }, "NAME_CHANGE_REQUIRED"],
    [{ mustAgree: true }, "CONSENT_REQUIRED"],
  ] as const) {
    expect(await fileReport({ ...member, ...must }, ofCode(code))).toEqual({ ok: false, code: refusal });
  }
  expect(await fileReport(member, ofCode(code))).toMatchObject({ ok: true, changed: true });
});

test("administrators read first what put a transaction on hold, then the oldest, page by page", async () => {
  const admin = await plantUser({ isAdmin: true });
  const numbers: string[] = [];
  for (const happened of ["abuse", "fraud", "abuse", "fraud"] as const) {
    const { code } = await tradeNow(await createPaidTrade());
    const filed = await fileReport(visitor(), { ...ofCode(code), happened });
    numbers.push(filed.ok ? filed.number : filed.code);
  }
  const read: string[] = [];
  for (let before: number | undefined; ; ) {
    const page = await listReports(admin, { show: "open", limit: 1, before });
    if (!page.ok) throw new Error(page.code);
    read.push(...page.reports.map(({ number }) => number).filter((number) => numbers.includes(number)));
    if (page.next === null) break;
    before = page.next;
  }
  expect(read.map((number) => numbers.indexOf(number))).toEqual([1, 3, 0, 2]);
});
