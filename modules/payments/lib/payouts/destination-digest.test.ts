import { expect, test } from "bun:test";
import { db, runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  account,
  at,
  due,
  first,
  holding,
  later,
  otherAccount,
  outcome,
  second,
} from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { setDestination } from "./create-payout.ts";
import { destinationDigest } from "./destination-digest.ts";
import { findPayout } from "./payouts.ts";

useDatabase();

test("every part of a destination changes its digest, an empty one does not", () => {
  const mark = destinationDigest(account);
  expect(destinationDigest({ ...account, iban: "", phone: undefined })).toBe(mark);
  const changes = [
    { bankName: "Golomt Bank" },
    { accountName: "Bat Bold" },
    { accountNumber: "5012345679" },
    { iban: "MN140005005099115811" },
    { phone: "99112233" },
  ];
  const marks = changes.map((change) => destinationDigest({ ...account, ...change }));
  expect(new Set([mark, "", ...marks]).size).toBe(changes.length + 2);
  expect(destinationDigest(null)).toBe("");
});

test("approving freezes the destination that was shown, even if another approved since", async () => {
  const reference = await holding(100);
  const { id } = await due(reference, "payout", 100);
  const at = later(180);
  const press = (shown: string, by = first) =>
    outcome((tx) => approvePayoutRecord(tx, { id, shown, at, by }));
  const old = destinationDigest(account);
  const corrected = { id, destination: otherAccount, at: later(0), by: second };
  expect(await outcome((tx) => setDestination(tx, corrected))).toBe("ok");
  expect(
    await runInTransaction((tx) => approvePayoutRecord(tx, { id, shown: old, at, by: first })),
  ).toMatchObject({
    ...{ ok: false, code: "PAYOUT_CONFLICT", textKey: "admin.payout.accountChanged" },
  });
  expect((await findPayout(db(), id))?.state).toBe("due");
  expect(await press("")).toBe("PAYOUT_CONFLICT");
  expect(await press(destinationDigest(otherAccount), second)).toBe("ok");
  expect((await findPayout(db(), id))?.state).toBe("due");
  expect(await press(destinationDigest(otherAccount))).toBe("ok");
  expect(await press(old)).toBe("PAYOUT_CONFLICT");
  expect(await press(destinationDigest(otherAccount))).toBe("repeated");
});

test("a correction and an approval at the same moment never freeze an account that the approver did not see", async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await due(await holding(100), "payout", 100);
    const seen = { id, shown: destinationDigest(account), at, by: first };
    const change = { id, destination: otherAccount, at, by: second };
    const both = [
      () => outcome((tx) => approvePayoutRecord(tx, seen)),
      () => outcome((tx) => setDestination(tx, change)),
    ];
    const [a, b] = round % 2 === 0 ? both : both.toReversed();
    const answers = await Promise.all([a?.(), b?.()]);
    expect(answers.sort()).toEqual(["PAYOUT_CONFLICT", "ok"]);
    const after = await findPayout(db(), id);
    expect(after?.destination).toEqual(after?.state === "approved" ? account : otherAccount);
  }
});
