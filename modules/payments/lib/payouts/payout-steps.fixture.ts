import { expect } from "bun:test";
import type { Tx } from "#db/client";
import {
  at,
  due,
  first,
  holding,
  newBankReference,
  otherAccount,
  outcome,
  second,
} from "../ledger/money.fixture.ts";
import { approvePayoutRecord } from "./approve-payout.ts";
import { claimPayoutRecord } from "./claim-payout.ts";
import { setDestination } from "./create-payout.ts";
import { markPayoutDone } from "./mark-payout-done.ts";
import { giveBankReference, markPayoutSent } from "./mark-payout-sent.ts";
import { markPayoutUnknown, resolveUnknownPayout } from "./resolve-unknown-payout.ts";
import { voidApproval, voidLivePayouts } from "./withdraw-approval.ts";

type Made = { id: number; reference: number; bankReference: string };
type Step = (tx: Tx, made: Made) => Promise<{ ok: true; repeated?: boolean } | { ok: false; code: string }>;

/** Each step of a payout, with what may differ in how it is asked for. */
export const steps = {
  approve: (tx, { id }) => approvePayoutRecord(tx, { id, at, by: first }),
  "approve elsewhere": (tx, { id }) =>
    approvePayoutRecord(tx, { id, destination: otherAccount, at, by: first }),
  destination: (tx, { id }) => setDestination(tx, { id, destination: otherAccount, at, by: first }),
  "void approval": (tx, { id }) => voidApproval(tx, { id, reason: "wrong account", at, by: first }),
  "void another's approval": (tx, { id }) => voidApproval(tx, { id, reason: "why not", at, by: second }),
  "claim again": (tx, { id }) => claimPayoutRecord(tx, { id, from: null, at, by: first }),
  "claim too": (tx, { id }) => claimPayoutRecord(tx, { id, from: null, at, by: second }),
  "take over": (tx, { id }) => claimPayoutRecord(tx, { id, from: first.userId, at, by: second }),
  send: (tx, { id, bankReference }) => markPayoutSent(tx, { id, bankReference, at, by: first }),
  "send by another": (tx, { id, bankReference }) => markPayoutSent(tx, { id, bankReference, at, by: second }),
  "send otherwise": (tx, { id }) =>
    markPayoutSent(tx, { id, bankReference: newBankReference(), at, by: first }),
  "send without reference": (tx, { id }) => markPayoutSent(tx, { id, bankReference: null, at, by: first }),
  "give reference": (tx, { id, bankReference }) =>
    giveBankReference(tx, { id, bankReference, at, by: second }),
  done: (tx, { id }) => markPayoutDone(tx, { id, at, by: second }),
  unknown: (tx, { id }) => markPayoutUnknown(tx, { id, reason: "bank is silent", at, by: second }),
  "found sent": (tx, { id, bankReference }) =>
    resolveUnknownPayout(tx, { id, outcome: "sent", bankReference, at, by: second }),
  "found not sent": (tx, { id }) =>
    resolveUnknownPayout(tx, { id, outcome: "not_sent", reason: "bank gave it back", at, by: second }),
  void: (tx, { reference }) => voidLivePayouts(tx, { reference, reason: "dispute", at, by: first }),
} satisfies Record<string, Step>;
export type StepName = keyof typeof steps;

/** The steps that lead to each state of a payout. */
export const ways: Record<string, StepName[]> = {
  due: [],
  approved: ["approve"],
  "approved and taken over by another": ["approve", "take over"],
  sent: ["approve", "send"],
  "sent without reference": ["approve", "send without reference"],
  done: ["approve", "send", "done"],
  "unknown before sending": ["approve", "unknown"],
  "unknown before sending and taken over by another": ["approve", "unknown", "take over"],
  "unknown after sending": ["approve", "send", "unknown"],
  void: ["void"],
};

/** Makes a payout of 95 in the state that `way` leads to. */
export async function stand(way: string): Promise<Made> {
  const reference = await holding(100);
  const { id } = await due(reference, "payout", 95, 5);
  const made = { id, reference, bankReference: newBankReference() };
  for (const name of ways[way] ?? []) expect(await outcome((tx) => steps[name](tx, made))).toBe("ok");
  return made;
}
