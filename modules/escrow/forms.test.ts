import { describe, expect, test } from "bun:test";
import type { ZodType } from "zod";
import { hasText } from "#locales";
import * as forms from "./forms.ts";

const seller = {
  infoType: "seller",
  accountName: "Bat-Erdene",
  bankName: "Khan Bank",
  accountNumber: "5012345678",
  ibanNumber: "",
  phoneNumber: "99112233",
  email: "bat@example.mn",
};

function complaints(schema: ZodType, value: unknown): Record<string, string> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return {};
  return Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]));
}

describe("amounts", () => {
  test("only whole tugrik from 1 to 999,999,999 are accepted", () => {
    for (const amount of [1, 50_000, 999_999_999]) {
      expect(forms.createTradeSchema.safeParse({ chatRoomId: 1, amount }).success).toBe(true);
    }
    for (const amount of [
      0,
      -1,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "5000",
      null,
      undefined,
      [],
      {},
    ]) {
      expect(complaints(forms.createTradeSchema, { chatRoomId: 1, amount })).toEqual({
        amount: "validation.amount",
      });
    }
    expect(complaints(forms.createTradeSchema, { chatRoomId: 1, amount: 1_000_000_000 })).toEqual({
      amount: "validation.amountMost?max=999999999",
    });
  });

  test("the buyer pays the fee unless another is named", () => {
    expect(forms.createTradeSchema.parse({ chatRoomId: 1, amount: 1, description: "  " })).toEqual({
      chatRoomId: 1,
      amount: 1,
      feePayer: "buyer",
    });
  });

  test("an amendment must change something", () => {
    expect(complaints(forms.amendTradeSchema, {})).toEqual({ "": "validation.nothingToChange" });
    expect(forms.amendTradeSchema.parse({ amount: 7 })).toEqual({ amount: 7 });
  });
});

describe("bank information", () => {
  test("the seller enters an account; a blank IBAN counts as none", () => {
    expect(forms.saveBankInfoSchema.parse(seller)).toEqual({
      ...seller,
      infoType: "seller",
      ibanNumber: undefined,
    });
  });

  test("the buyer enters only name, telephone and email", () => {
    const { accountName, phoneNumber, email } = seller;
    expect(forms.saveBankInfoSchema.parse({ ...seller, infoType: "buyer" })).toEqual({
      infoType: "buyer",
      accountName,
      phoneNumber,
      email,
    });
  });

  test("each field has its own error message", () => {
    const bad = {
      infoType: "seller",
      accountName: "B",
      bankName: "K",
      accountNumber: "123",
      phoneNumber: "9911",
      email: "x",
    };
    expect(complaints(forms.saveBankInfoSchema, bad)).toEqual({
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
      phoneNumber: "validation.phone",
      email: "validation.contactEmail",
    });
  });

  test("an account number keeps only its digits", () => {
    expect(forms.saveBankInfoSchema.parse({ ...seller, accountNumber: "5012 345-678" })).toMatchObject({
      accountNumber: "5012345678",
    });
    expect(complaints(forms.saveBankInfoSchema, { ...seller, accountNumber: "50123x" })).toEqual({
      accountNumber: "validation.accountDigits",
    });
  });

  test("the kind of information is required", () => {
    expect(complaints(forms.saveBankInfoSchema, { ...seller, infoType: "admin" })).toEqual({
      infoType: "validation.infoType",
    });
  });
});

describe("IBAN", () => {
  test("is MN and 18 digits, with remainder 1 modulo 97", () => {
    expect(forms.isIban("MN500005005012345678")).toBe(true);
    expect(forms.isIban("MN121234123456789123")).toBe(true);
    expect(forms.isIban("MN510005005012345678")).toBe(false);
    expect(forms.isIban("MN50000500501234567")).toBe(false);
    expect(forms.isIban("GB82WEST12345698765432")).toBe(false);
  });

  test("may contain spaces and small letters", () => {
    expect(
      forms.saveBankInfoSchema.parse({ ...seller, ibanNumber: "mn50 0005 0050 1234 5678" }),
    ).toMatchObject({
      ibanNumber: "MN500005005012345678",
    });
  });

  test("with any single digit changed is refused", () => {
    const good = "MN500005005012345678";
    for (let at = 2; at < good.length; at++) {
      const digit = (Number(good[at]) + 1) % 10;
      expect(forms.isIban(good.slice(0, at) + digit + good.slice(at + 1))).toBe(false);
    }
  });
});

test("control, direction and half characters are refused; line breaks are allowed in long texts", () => {
  for (const bad of ["a\u0000b", "a\u001bb", "a\u202eb", "a\ud800b"]) {
    expect(complaints(forms.shareInfoSchema, { info: bad })).toEqual({ info: "validation.characters" });
    expect(complaints(forms.settleTradeSchema, { bankReference: bad })).toEqual({
      bankReference: "validation.characters",
    });
  }
  expect(forms.shareInfoSchema.parse({ info: "one\r\ntwo\tthree" })).toEqual({ info: "one\r\ntwo\tthree" });
  expect(complaints(forms.settleTradeSchema, { bankReference: "one\ntwo" })).toEqual({
    bankReference: "validation.characters",
  });
});

test("a required text of nothing that can be seen counts as none; an optional one is not asked for", () => {
  for (const reason of ["", "\u200b\u3164", " \u2800\n"]) {
    const read = forms.disputeStatementSchema.safeParse({ reason });
    expect(read.error?.issues.map(({ message }) => message)).toEqual(["validation.reason"]);
  }
  expect(forms.disputeStatementSchema.safeParse({ reason: "🤷‍♀️" }).success).toBe(true);
  expect(forms.handOverSchema.safeParse({}).success).toBe(true);
});

test("no text beyond its limit is accepted", () => {
  expect(complaints(forms.shareInfoSchema, { info: "x".repeat(forms.tradeFieldLimits.info + 1) })).toEqual({
    info: "validation.tooLong",
  });
  expect(complaints(forms.shareInfoSchema, { info: "   " })).toEqual({ info: "validation.info" });
});

test("a ruling names the buyer's part if it is a split, and only then", () => {
  const why = { reason: "Half of the goods came", sum: 10 };
  expect(forms.rulingSchema.safeParse({ ruling: "split", refundAmount: 10, ...why }).success).toBe(true);
  expect(forms.rulingSchema.safeParse({ ruling: "release", ...why }).success).toBe(true);
  expect(complaints(forms.rulingSchema, { ruling: "split", ...why })).toEqual({
    refundAmount: "validation.rulingSum",
  });
  expect(complaints(forms.previewRulingSchema, { ruling: "split", refundAmount: Number.NaN })).toEqual({
    refundAmount: "validation.rulingSum",
  });
  expect(complaints(forms.rulingSchema, { ruling: "refund", refundAmount: 1, ...why })).toEqual({
    refundAmount: "validation.refundAmount",
  });
});

test("every error message has its text in the catalogues", async () => {
  const source = await Bun.file(new URL("./forms.ts", import.meta.url)).text();
  const keys = new Set(source.match(/validation\.[A-Za-z]+/g));
  expect([...keys].filter((key) => !hasText(key))).toEqual([]);
});

test("bank codes are six digits and appear once", () => {
  const codes = forms.mongolianBanks.map((bank) => bank.code).filter((code) => code !== null);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
});

describe("vault contents", () => {
  test("keep a password exactly as typed, and blank fields are absent", () => {
    const typed = { login: " zorigt ", password: "  a b  ", email: "", emailPassword: "", notes: " x\r\ny " };
    expect(forms.sealVaultSchema.parse(typed)).toMatchObject({
      login: "zorigt",
      password: "  a b  ",
      notes: "x\r\ny",
    });
    expect(forms.sealVaultSchema.parse({ password: " " })).toMatchObject({ password: " " });
  });

  test("are not empty, printable, and within the limits", () => {
    for (const wrong of [
      {},
      { login: " ", password: "" },
      { clientId: crypto.randomUUID() },
      { password: "a\nb" },
      { password: "a\u202eb" },
      { recoveryNotes: "a\u2067b" },
      { password: "x".repeat(forms.tradeFieldLimits.vaultLine + 1) },
      { notes: "x".repeat(forms.tradeFieldLimits.info + 1) },
      { email: "nobody" },
    ]) {
      expect([wrong, forms.sealVaultSchema.safeParse(wrong).success]).toEqual([wrong, false]);
      expect(forms.sealVaultFormSchema.safeParse({ ...wrong, sure: "on" }).success).toBe(false);
    }
    expect(forms.sealVaultFormSchema.safeParse({ login: "zorigt" }).success).toBe(false);
    expect(forms.sealVaultFormSchema.safeParse({ login: "zorigt", sure: "on" }).success).toBe(true);
  });

  test("can be ticked off by checkboxes and by the API", () => {
    const nothing = { password: false, secondFactor: false, recovery: false };
    expect(forms.checkVaultSchema.parse({ password: "on" })).toEqual({ ...nothing, password: true });
    expect(forms.checkVaultSchema.parse({ recovery: true, password: false })).toEqual({
      ...nothing,
      recovery: true,
    });
    for (const wrong of [{}, { password: false }, { password: "no" }, [], null]) {
      expect(forms.checkVaultSchema.safeParse(wrong).success).toBe(false);
    }
  });
});

test("a text in which nothing can be seen is none: it fills no vault, and is no note", () => {
  const unseen = "\u200b\u2800";
  for (const field of ["login", "notes"])
    expect(complaints(forms.sealVaultSchema, { [field]: unseen })).toEqual({ "": "validation.vaultEmpty" });
  expect(forms.sealVaultSchema.parse({ login: "bat", notes: unseen })).toEqual({ login: "bat" });
  expect(forms.handOverSchema.parse({ note: unseen })).toEqual({});
});
