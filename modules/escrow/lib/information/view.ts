import type { z } from "zod";
import { db, type Executor } from "#db/client";
import { maskNumber } from "#format";
import type { Actor } from "#modules/identity";
import { findTradeForParty, type NoPartyAccess } from "../core/party-access.ts";
import type { buyerInfoSchema, infoExchangeSchema, sellerInfoSchema } from "../core/responses.ts";
import type { Party, Status } from "../machine/trade-types.ts";
import {
  hasConfirmed,
  infoVersion,
  isExchangeOpen,
  type SharedInformation,
  sharedInformation,
} from "./progress.ts";

export type SellerInfo = z.output<typeof sellerInfoSchema>;
export type BuyerInfo = z.output<typeof buyerInfoSchema>;
export type InfoExchange = z.output<typeof infoExchangeSchema>;

/** The exchange for one of the trade's parties. Refuses TRANSACTION_NOT_FOUND to anyone else. */
export async function readInfoExchange(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; exchange: InfoExchange } | NoPartyAccess> {
  const found = await findTradeForParty(db(), actor, tradeId);
  if (!found.ok) return found;
  return { ok: true, exchange: await exchangeFor(db(), found.trade, found.side) };
}

/**
 * The exchange as one reader sees it. Unless the exchange is open, the other party's numbers show only their last four digits. The buyer
 * never needs the seller's account: once the trade is over they see its bank and the last four digits. An administrator always sees only
 * these digits: the whole number is shown at the payout, to the administrator who makes the transfer.
 */
export async function exchangeFor(
  exec: Executor,
  trade: { id: number; status: Status },
  reader: Party | "admin",
): Promise<InfoExchange> {
  const both = await sharedInformation(exec, trade.id);
  const available = isExchangeOpen(trade.status);
  const hides = (side: Party): MaskedParts => {
    const closed = !available && reader !== "admin" && reader !== side;
    const masked = closed || reader === "admin";
    const over = reader !== side && (trade.status === "completed" || trade.status === "cancelled");
    return { numbers: masked, words: closed, account: masked || over, holder: over && reader !== "admin" };
  };
  return {
    transactionId: trade.id,
    available,
    sellerInfo: sellerInfo(both.seller, hides("seller")),
    buyerInfo: buyerInfo(both.buyer, hides("buyer")),
    sellerInfoErased: isInformationErased(both.seller),
    buyerInfoErased: isInformationErased(both.buyer),
    sellerConfirmed: hasConfirmed(both, "seller"),
    buyerConfirmed: hasConfirmed(both, "buyer"),
    sellerInfoVersion: infoVersion(both.seller),
    buyerInfoVersion: infoVersion(both.buyer),
    sellerMayCorrect: both.seller.progress?.correctedAt == null,
    buyerMayCorrect: both.buyer.progress?.correctedAt == null,
  };
}

/** A party's progress outlives what it gave. */
function isInformationErased({ progress, bank, contact, info }: SharedInformation): boolean {
  const gave = progress !== null && (progress.givenAt !== null || progress.sharedAt !== null);
  return gave && bank === undefined && contact === undefined && info === undefined;
}

interface MaskedParts {
  /** The phone number shows only its last four digits. */
  numbers: boolean;
  /** Email and free text are left out. */
  words: boolean;
  /** The account's numbers show only their last four digits. */
  account: boolean;
  /** The account holder's name is left out. */
  holder: boolean;
}

function sellerInfo({ bank, info }: SharedInformation, hidden: MaskedParts): SellerInfo | null {
  if (bank === undefined && info === undefined) return null;
  return {
    bankName: bank?.bankName ?? null,
    accountName: hidden.holder ? null : (bank?.accountName ?? null),
    accountNumber: shownNumber(bank?.accountNumber, hidden.account),
    iban: shownNumber(bank?.iban, hidden.account),
    phoneNumber: shownNumber(bank?.phoneNumber, hidden.numbers),
    email: hidden.words ? null : (bank?.email ?? null),
    notes: hidden.words ? null : (info?.body ?? null),
  };
}

function buyerInfo({ contact, info }: SharedInformation, hidden: MaskedParts): BuyerInfo | null {
  if (contact === undefined && info === undefined) return null;
  return {
    name: contact?.accountName ?? null,
    phoneNumber: shownNumber(contact?.phoneNumber, hidden.numbers),
    email: hidden.words ? null : (contact?.email ?? null),
    notes: hidden.words ? null : (info?.body ?? null),
  };
}

function shownNumber(value: string | null | undefined, hidden: boolean): string | null {
  if (value == null) return null;
  return hidden ? maskNumber(value) : value;
}
