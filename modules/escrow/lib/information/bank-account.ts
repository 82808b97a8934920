import { type Executor, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import type { Destination } from "#forms/payments";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { payoutsOf, setDestination } from "#modules/payments";
import type { BankInfoInput } from "../../forms.ts";
import { lockTradeForParty, type NoPartyAccess, type PartyAccess } from "../core/party-access.ts";
import type { Status } from "../machine/trade-types.ts";
import { announceInformation, type InformationNotice } from "./notify-party.ts";
import {
  findLatestDetail,
  type GivenInformation,
  isExchangeOpen,
  isSameInformation,
  recordProgress,
  storeInformation,
} from "./progress.ts";
import type { DetailRow } from "./schema.ts";

export type SaveBankInfoResult =
  | { ok: true; changed: boolean; corrected: boolean }
  | NoPartyAccess
  | { ok: false; code: "SELLER_ONLY" | "BUYER_ONLY" }
  | { ok: false; code: "INFO_NOT_AVAILABLE" | "BANK_INFO_FINAL"; current: Status };

/**
 * Saves the seller's bank account for the payout, or the buyer's contact details. Saving the same again changes nothing. Refuses, in this
 * order: TRANSACTION_NOT_FOUND to anyone but the parties; SELLER_ONLY, BUYER_ONLY for the other party's form; INFO_NOT_AVAILABLE before the
 * payment and after a cancellation; BANK_INFO_FINAL for a second correction, and for any correction once the payout is approved.
 */
export function saveBankInfo(
  actor: Actor,
  tradeId: number,
  input: BankInfoInput,
): Promise<SaveBankInfoResult> {
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const found = await lockTradeForParty(tx, actor, tradeId);
    if (!found.ok) return found;
    const { trade, side } = found;
    if (input.infoType !== side) return { ok: false, code: side === "buyer" ? "SELLER_ONLY" : "BUYER_ONLY" };
    if (!isExchangeOpen(trade.status))
      return { ok: false, code: "INFO_NOT_AVAILABLE", current: trade.status };
    const kind = side === "seller" ? "bank" : "contact";
    const before = await findLatestDetail(tx, tradeId, kind, side);
    const given = readBankInfo(input);
    if (isSameInformation(before, given)) return { ok: true, changed: false, corrected: false };
    const final = { ok: false, code: "BANK_INFO_FINAL", current: trade.status } as const;
    if (before !== undefined && before.version >= 2) return final;
    if (side === "seller" && !(await redirectPayouts(tx, found, given, at))) return final;
    const { userId, device } = found.member;
    const from = side === "seller" ? { device } : {};
    await storeInformation(tx, { tradeId, side, kind, after: before, by: userId, at, ...from }, given);
    await recordProgress(tx, tradeId, side, before === undefined ? { givenAt: at } : { correctedAt: at });
    await announceInformation(tx, found, { ...chooseNotice(side, before), at });
    return { ok: true, changed: true, corrected: before !== undefined };
  });
}

/** The account for the seller's payout; null until the seller has entered one. */
export async function sellerDestination(exec: Executor, tradeId: number): Promise<Destination | null> {
  const row = await findLatestDetail(exec, tradeId, "bank", "seller");
  return row === undefined ? null : destinationOf(row);
}

/** The same account, with the time at which it replaced an earlier one. */
export async function sellerAccount(
  exec: Executor,
  tradeId: number,
): Promise<{ destination: Destination; correctedAt: Date | null } | null> {
  const row = await findLatestDetail(exec, tradeId, "bank", "seller");
  if (row === undefined) return null;
  return { destination: destinationOf(row), correctedAt: row.version > 1 ? row.givenAt : null };
}

/** Converts a stored account to a payout's destination. */
export function destinationOf(row: GivenInformation): Destination {
  const { bankName, accountName, accountNumber, iban, phoneNumber } = row;
  return {
    bankName: bankName ?? "",
    accountName: accountName ?? "",
    accountNumber: accountNumber ?? "",
    ...(iban && { iban }),
    ...(phoneNumber && { phone: phoneNumber }),
  };
}

function readBankInfo(input: BankInfoInput): GivenInformation {
  const { accountName, phoneNumber, email } = input;
  if (input.infoType === "buyer") return { accountName, phoneNumber, email };
  const { bankName, accountNumber, ibanNumber } = input;
  return { accountName, bankName, accountNumber, iban: ibanNumber ?? null, phoneNumber, email };
}

/** Points the seller's due payouts to the new account. False if a payout to the old one is approved or further. */
async function redirectPayouts(
  tx: Tx,
  found: PartyAccess,
  given: GivenInformation,
  at: Date,
): Promise<boolean> {
  const all = await payoutsOf(tx, found.trade.id);
  const live = all.filter((payout) => payout.kind === "payout" && payout.state !== "void");
  if (live.some((payout) => payout.state !== "due")) return false;
  for (const { id } of live) {
    const set = await setDestination(tx, {
      id,
      destination: destinationOf(given),
      at,
      by: auditAuthorOf(found.member),
    });
    if (!set.ok) throw new Error(`payout ${id} moved under the trade's lock: ${set.code}`);
  }
  return true;
}

function chooseNotice(
  side: "buyer" | "seller",
  before: DetailRow | undefined,
): Omit<InformationNotice, "at"> {
  const first = before === undefined;
  if (side === "buyer") {
    return first
      ? { notice: "contactGiven", action: "contact_info_given", data: { event: "bankInfo" } }
      : { notice: "contactCorrected", action: "contact_info_corrected", data: { event: "bankInfo" } };
  }
  return first
    ? { notice: "bankInfoGiven", action: "bank_info_given", data: { event: "bankInfo" } }
    : { notice: "bankInfoCorrected", action: "bank_info_corrected", data: { event: "bankInfo" } };
}
