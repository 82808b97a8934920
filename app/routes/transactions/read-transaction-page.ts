import { readTrade } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { readHistory, readRoom, readRoomNames } from "#modules/rooms";
import type { PersonView, TradeView } from "#views/escrow";
import type { Seat } from "../../islands/room/types.ts";
import { paths } from "../../paths.ts";
import { findAskingCodes } from "../../ui/trade/progress/asking-codes.ts";
import { type MarkName, tradeMarks } from "../../ui/trade/progress/trade-line.tsx";
import { handOverOf } from "../../ui/trade/progress/trade-words.ts";
import { endLabelOf } from "../../ui/trade/state/trade-state.ts";
import { prefillOf, stringsOf } from "../room/room-view.ts";
import { shownTrade } from "../room/trade/trade-shown.ts";
import type { ChatShown, StepTime } from "./types.ts";

const pageLength = 50;

/** What a trade's own page shows a party; undefined for anyone else. The page outlives the room. */
export async function readTransactionPage(member: Member, id: number, before: number | undefined) {
  const found = await readTrade(member, id);
  if (!found.ok) return undefined;
  const { trade: view } = found;
  const [chat, names] = await Promise.all([
    readTransactionChat(member, view, before),
    readRoomNames(member, [view.chatRoomId]),
  ]);
  const other = view.role === "buyer" ? view.seller : view.buyer;
  return {
    person: other.displayName,
    room: names.get(view.chatRoomId)?.room ?? null,
    trade: shownTrade(view),
    role: view.role,
    roomId: view.chatRoomId,
    startedAt: view.createdAt,
    serverNow: view.serverTime,
    times: listStepTimes(view),
    chat,
    // If the room is gone, a refund's account is entered here.
    prefill: chat.open ? null : await prefillOf(member),
  };
}

/** When the steps that are done were done, in their order, and when a trade ended before its last step. */
function listStepTimes(view: TradeView): StepTime[] {
  const { payment, buyer, seller } = view.confirmations;
  const { done, ended } = view.standing;
  const times: Record<MarkName, string | null> = {
    agreed: view.createdAt,
    paid: payment,
    held: payment,
    handedOver: view.handedOverAt,
    confirmed: buyer !== null && seller !== null ? ([buyer, seller].sort()[1] ?? null) : null,
    paidOut: view.endedAt,
  };
  const steps = tradeMarks
    .filter((mark) => done.includes(mark))
    .map((mark) => ({ label: `line.${mark}`, at: times[mark] }));
  if (ended) steps.push({ label: endLabelOf(shownTrade(view)), at: view.endedAt });
  return steps.flatMap(({ label, at }) => (at === null ? [] : [{ label, at }]));
}

async function readTransactionChat(
  member: Member,
  view: TradeView,
  before: number | undefined,
): Promise<ChatShown> {
  const page = { limit: pageLength, ...(before !== undefined && { before }) };
  const [read, roomRead] = await Promise.all([
    readHistory(member, view.chatRoomId, page, { kept: true }),
    readRoom(member, view.chatRoomId),
  ]);
  const messages = read.ok ? read.messages : [];
  const first = messages[0]?.seq ?? 1;
  const readers = roomRead.ok ? roomRead.room.participants.filter(({ id }) => id !== member.userId) : [];
  const earlier = messages.length === pageLength && first > 1;
  const trade = shownTrade(view);
  return {
    messages,
    seats: [buildPartySeat(view.seller, "seller"), buildPartySeat(view.buyer, "buyer")],
    me: member.userId,
    roomId: roomRead.ok ? view.chatRoomId : null,
    code: view.transactionCode,
    handOver: handOverOf(trade),
    askingCodes: findAskingCodes(trade, view.role),
    strings: stringsOf(member.language, view.chatRoomId),
    olderHref: earlier ? `${paths.transaction(view.id)}?before=${first}` : null,
    clientId: crypto.randomUUID(),
    today: view.serverTime,
    readSeq: Math.max(0, ...readers.map(({ readSeq }) => readSeq)),
    open: roomRead.ok,
  };
}

function buildPartySeat({ id, displayName, avatarInitials }: PersonView, role: Seat["role"]): Seat {
  return { id, displayName, avatarInitials, role, readSeq: 0 };
}
