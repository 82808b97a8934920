import { now } from "#db/clock";
import { type Language, translator } from "#locales";
import { type InfoExchange, type TradeView, tradeOfRoom } from "#modules/escrow";
import { type Member, profile } from "#modules/identity";
import { sandboxServes } from "#modules/payments";
import { history, markRead, type Participant, type Room, room } from "#modules/rooms";
import type { Contact, PanelProps, TradeShown } from "../components/trade/types.ts";
import type { RoomProps, Seat } from "../islands/room/types.ts";
import { paths } from "../paths.ts";
import { facts } from "./facts.ts";

const pageLength = 50;

/** Unconfirmed for this long after the first QR, a payer is told to contact the admin (specification §9). */
const patienceMs = 10 * 60_000;

/** Everything the trade's panel shows a member, or the refusal that an outsider gets. */
export async function panelOf(member: Member, roomId: number) {
  const [found, traded, own] = await Promise.all([
    room(member, roomId),
    tradeOfRoom(member, roomId),
    profile(member),
  ]);
  if (!found.ok) return found;
  if (!traded.ok) return traded;
  const { trade } = traded;
  const seatsTaken = found.room.participants.length === 2;
  const { role, status } = found.room;
  const panel: PanelProps = {
    role,
    seatsTaken,
    serverNow: trade?.serverTime ?? now().toISOString(),
    canCreate: trade === null && role === "seller" && seatsTaken && status === "active",
    trade: trade && shown(trade),
    payWithin: String(facts(member.language).paymentWindow),
    prefill: {
      accountName: "",
      accountNumber: own.ok ? (own.user.bankAccount ?? "") : "",
      phoneNumber: own.ok ? (own.user.phoneNumber ?? "") : "",
      email: member.email,
    },
  };
  return { ok: true as const, panel, room: found.room, trade };
}

function shown(trade: TradeView): TradeShown {
  const { buyer, seller } = contacts(trade.infoExchange);
  const { buyerInfo, sellerInfo } = trade.infoExchange;
  const { invoice } = trade;
  return {
    id: trade.id,
    code: trade.transactionCode,
    status: trade.status,
    description: trade.description,
    amount: trade.amount,
    fee: trade.serviceFee,
    gross: trade.grossAmount,
    net: trade.netAmount,
    toSeller: trade.due.payoutAmount ?? trade.netAmount,
    refund: trade.due.refund,
    feePayer: trade.feePayer,
    booked: trade.paidAmount,
    handedOver: trade.handedOverAt !== null,
    over: trade.endedAt !== null,
    turn: trade.turn,
    standing: trade.standing,
    clocks: trade.clocks,
    can: trade.can,
    qr:
      // One for another sum than is owed, as after a part payment, would make the buyer pay too much.
      invoice?.qrImageUrl == null || invoice.amount !== trade.remainingAmount
        ? null
        : {
            image: invoice.qrImageUrl,
            expiresAt: invoice.expiresAt,
            expired: invoice.expired,
            links: invoice.bankLinks.map(({ name, link }) => ({ name, link })),
            sandboxPage: sandboxServes() ? paths.sandboxPay(invoice.invoiceId) : null,
          },
    mine: trade.role === "buyer" ? buyer : seller,
    theirs: trade.role === "buyer" ? seller : buyer,
    infoOpen: trade.infoExchange.available || buyerInfo !== null || sellerInfo !== null,
    qrAsked: trade.invoiceId !== null,
    late: isLate(trade),
    disputeBy: trade.dispute?.outcome === null ? trade.dispute.openedBy : null,
    confirmed: { buyer: trade.buyerConfirmedComplete, seller: trade.sellerConfirmedComplete },
  };
}

const nothing = { accountName: null, bankName: null, accountNumber: null, iban: null };

function isLate({ steps, remainingAmount, serverTime }: TradeView): boolean {
  const since = steps.find(({ step }) => step === "payment_initiated")?.completedAt;
  return remainingAmount > 0 && since != null && Date.parse(serverTime) - Date.parse(since) >= patienceMs;
}

function contacts(exchange: InfoExchange): { buyer: Contact; seller: Contact } {
  const { buyerInfo, sellerInfo } = exchange;
  return {
    buyer: {
      ...nothing,
      accountName: buyerInfo?.name ?? null,
      phoneNumber: buyerInfo?.phoneNumber ?? null,
      email: buyerInfo?.email ?? null,
      info: buyerInfo?.notes ?? null,
      confirmed: exchange.buyerConfirmed,
    },
    seller: {
      accountName: sellerInfo?.accountName ?? null,
      bankName: sellerInfo?.bankName ?? null,
      accountNumber: sellerInfo?.accountNumber ?? null,
      iban: sellerInfo?.iban ?? null,
      phoneNumber: sellerInfo?.phoneNumber ?? null,
      email: sellerInfo?.email ?? null,
      info: sellerInfo?.notes ?? null,
      confirmed: exchange.sellerConfirmed,
    },
  };
}

/** The conversation's props: a page of messages, the latest or those before a `seq`, with the strings they need. */
export async function conversationOf(
  member: Member,
  of: Room,
  code: string | null,
  before: number | undefined,
): Promise<RoomProps> {
  const read = await history(member, of.id, { limit: pageLength, ...(before !== undefined && { before }) });
  const messages = read.ok ? read.messages : [];
  const first = messages[0]?.seq ?? 1;
  return {
    roomId: of.id,
    code,
    me: member.userId,
    readSeq: of.participants.find(({ id }) => id === member.userId)?.readSeq ?? 0,
    seats: of.participants.map(seatOf),
    messages,
    hasOlder: messages.length === pageLength && first > 1,
    olderHref: `${paths.room(of.id)}?before=${first}`,
    draft: "",
    draftError: null,
    clientId: crypto.randomUUID(),
    strings: stringsOf(member.language),
  };
}

/** Notes that a person has read what the page shows them; nothing is written where nothing is new to them. */
export async function readShown(member: Member, { roomId, readSeq, messages }: RoomProps): Promise<void> {
  const last = messages.at(-1)?.seq ?? 0;
  if (last > readSeq) await markRead(member, roomId, last);
}

function seatOf(person: Participant): Seat {
  const { id, displayName, avatarInitials, role, phoneNumber, bankAccount, readSeq } = person;
  return { id, displayName, avatarInitials, role, phoneNumber, bankAccount, readSeq };
}

function stringsOf(language: Language): RoomProps["strings"] {
  const t = translator(language);
  return {
    conversation: t("room.conversation"),
    messages: t("room.messages"),
    placeholder: t("room.placeholder"),
    send: t("room.send"),
    connected: t("room.connected"),
    reconnecting: t("room.reconnecting"),
    typing: t("room.typing"),
    you: t("room.you"),
    unsent: t("room.unsent"),
    older: t("room.older"),
    empty: t("room.empty"),
    notice: t("room.notice"),
    members: t("room.members"),
    phone: t("info.phone"),
    bank: t("room.bank"),
    notProvided: t("room.notProvided"),
    roles: { buyer: t("roles.buyer"), seller: t("roles.seller") },
    presence: {
      online: t("room.presence.online"),
      away: t("room.presence.away"),
      busy: t("room.presence.busy"),
      offline: t("room.presence.offline"),
    },
  };
}
