import { db, type Executor } from "#db/client";
import type { Actor } from "#modules/identity";
import { findTradeForParty, type NoPartyAccess } from "../core/party-access.ts";
import type { Party, Status } from "../machine/trade-types.ts";
import {
  hasConfirmed,
  infoVersion,
  isExchangeOpen,
  type SharedInformation,
  sharedInformation,
} from "./progress.ts";

/** The seller's half (specification §3). Null fields were not given. */
export type SellerInfo = {
  bankName: string | null;
  accountName: string | null;
  accountNumber: string | null;
  iban: string | null;
  phoneNumber: string | null;
  email: string | null;
  notes: string | null;
};
/** The buyer's half (specification §3). */
export type BuyerInfo = {
  name: string | null;
  phoneNumber: string | null;
  email: string | null;
  notes: string | null;
};

/** The information exchange of a trade as its reader may see it; a half is null until something was given. */
export type InfoExchange = {
  transactionId: number;
  /** Whether information may be shared and confirmed now. */
  available: boolean;
  sellerInfo: SellerInfo | null;
  buyerInfo: BuyerInfo | null;
  /** Whether a side had given something and it was erased, as when its account is deleted. */
  sellerInfoErased: boolean;
  buyerInfoErased: boolean;
  /** Whether a side has confirmed what the other one shared, as it is now. */
  sellerConfirmed: boolean;
  buyerConfirmed: boolean;
  /** Of what each side shared, 0 for nothing: a confirmation names the other side's. */
  sellerInfoVersion: number;
  buyerInfoVersion: number;
  /** Whether a side's form may still be corrected once; the payout's own state may forbid it sooner. */
  sellerMayCorrect: boolean;
  buyerMayCorrect: boolean;
};

/** The exchange for one of the trade's parties; to anybody else TRANSACTION_NOT_FOUND. */
export async function readInfoExchange(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; exchange: InfoExchange } | NoPartyAccess> {
  const found = await findTradeForParty(db(), actor, tradeId);
  if (!found.ok) return found;
  return { ok: true, exchange: await exchangeFor(db(), found.trade, found.side) };
}

/**
 * The exchange as one reader sees it. The other side's numbers show their last four alone unless the exchange is open,
 * and to an administrator always: whole they stand at the payout alone, for who makes the transfer.
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
    return { numbers: closed || reader === "admin", words: closed };
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

/** What a side has done outlives what it gave. */
function isInformationErased({ progress, bank, contact, info }: SharedInformation): boolean {
  const gave = progress !== null && (progress.givenAt !== null || progress.sharedAt !== null);
  return gave && bank === undefined && contact === undefined && info === undefined;
}

/** Whether telephone and account show their last four alone, and whether e-mail and free text are left out. */
type MaskedParts = { numbers: boolean; words: boolean };

function sellerInfo({ bank, info }: SharedInformation, hidden: MaskedParts): SellerInfo | null {
  if (bank === undefined && info === undefined) return null;
  return {
    bankName: bank?.bankName ?? null,
    accountName: bank?.accountName ?? null,
    accountNumber: maskNumber(bank?.accountNumber, hidden.numbers),
    iban: maskNumber(bank?.iban, hidden.numbers),
    phoneNumber: maskNumber(bank?.phoneNumber, hidden.numbers),
    email: hidden.words ? null : (bank?.email ?? null),
    notes: hidden.words ? null : (info?.body ?? null),
  };
}

function buyerInfo({ contact, info }: SharedInformation, hidden: MaskedParts): BuyerInfo | null {
  if (contact === undefined && info === undefined) return null;
  return {
    name: contact?.accountName ?? null,
    phoneNumber: maskNumber(contact?.phoneNumber, hidden.numbers),
    email: hidden.words ? null : (contact?.email ?? null),
    notes: hidden.words ? null : (info?.body ?? null),
  };
}

function maskNumber(value: string | null | undefined, hidden: boolean): string | null {
  if (value == null) return null;
  return hidden ? `••••${value.slice(-Math.min(4, Math.floor(value.length / 2)))}` : value;
}
