import { describe, expect, test } from "bun:test";
import {
  destinationSchema,
  haltSwitchSchema,
  markPayoutSentSchema,
  moneyPageSchema,
  resolveUnknownPayoutSchema,
  stepReasonSchema,
} from "./forms.ts";

const messages = (result: { success: boolean; error?: { issues: Array<{ message: string }> } }) =>
  result.error?.issues.map((issue) => issue.message) ?? [];

const account = { bankName: "Khan Bank", accountName: "Bold Bat", accountNumber: "5012345678" };

describe("a destination", () => {
  test("is trimmed, and blank optional fields count as absent", () => {
    const given = { ...account, bankName: " Khan Bank ", iban: " ", phone: "" };
    expect(destinationSchema.parse(given)).toEqual({ ...account, iban: undefined, phone: undefined });
    expect(destinationSchema.parse({ ...account, iban: "MN12" }).iban).toBe("MN12");
  });

  test("reports what is too short, too long or deceptive", () => {
    const wrong = { bankName: "K", accountName: "x".repeat(101), accountNumber: "5012\u202e34" };
    expect(messages(destinationSchema.safeParse(wrong))).toEqual([
      "validation.bankName",
      "validation.tooLong",
      "validation.characters",
    ]);
    expect(messages(destinationSchema.safeParse({}))).toEqual([
      "validation.bankName",
      "validation.accountName",
      "validation.accountNumber",
    ]);
    expect(messages(destinationSchema.safeParse({ ...account, accountName: "\u3164\u200b" }))).toEqual([
      "validation.accountName",
    ]);
    expect(messages(destinationSchema.safeParse(null))).toEqual(["validation.object"]);
  });
});

test("bank references are compared without case and outer spaces", () => {
  expect(markPayoutSentSchema.parse({ bankReference: " tx-9 " })).toEqual({ bankReference: "TX-9" });
  expect(messages(markPayoutSentSchema.safeParse({ bankReference: " " }))).toEqual([
    "validation.bankReference",
  ]);
  expect(messages(markPayoutSentSchema.safeParse({ bankReference: "x".repeat(65) }))).toEqual([
    "validation.tooLong",
  ]);
});

test("money in doubt is resolved as sent with a reference, or as not sent with a reason", () => {
  expect(resolveUnknownPayoutSchema.parse({ outcome: "sent", bankReference: "a1" })).toEqual({
    outcome: "sent",
    bankReference: "A1",
  });
  expect(resolveUnknownPayoutSchema.safeParse({ outcome: "sent", reason: "seen" }).success).toBe(false);
  expect(resolveUnknownPayoutSchema.safeParse({ outcome: "not_sent", reason: "came back" }).success).toBe(
    true,
  );
  expect(messages(resolveUnknownPayoutSchema.safeParse({ outcome: "maybe" }))).toEqual([
    "validation.required",
  ]);
});

test("stopping and correcting need a reason", () => {
  expect(messages(haltSwitchSchema.safeParse({ on: true, reason: " " }))).toEqual([
    "validation.reasonMissing",
  ]);
  expect(messages(haltSwitchSchema.safeParse({ on: "yes", reason: "x" }))).toEqual(["validation.required"]);
  expect(messages(stepReasonSchema.safeParse({}))).toEqual(["validation.reasonMissing"]);
});

test("a list page has 50 rows by default and 100 at most, and reads ids from the query", () => {
  expect(moneyPageSchema.parse({})).toEqual({ limit: 50 });
  expect(moneyPageSchema.parse({ limit: "10", before: "7" })).toEqual({ limit: 10, before: 7 });
  for (const wrong of [{ limit: 101 }, { limit: 0 }, { before: "x" }, { after: -1 }, { after: 1.5 }]) {
    expect(moneyPageSchema.safeParse(wrong).success).toBe(false);
  }
});
