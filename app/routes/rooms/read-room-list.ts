import { findRoomsByCode, readRoomProgress } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { listRooms, searchRooms } from "#modules/rooms";
import type { RoomProgress } from "#views/escrow";
import type { RoomCard } from "#views/rooms";
import { paths } from "../../paths.ts";
import { amountForRole, formatInlineMoney, turnForRole } from "../../ui/trade/progress/trade-words.ts";
import type { PendingTask, RoomShown, TradeSummary } from "./types.ts";

/** Rooms per page. */
const pageLength = 24;

/**
 * A page of the person's rooms; `before` and `q` come from the address and may be invalid. `wait`: seconds until the person may search
 * again.
 */
export async function readRoomList(member: Member, query: URLSearchParams) {
  const [before, q] = [query.get("before"), query.get("q")?.trim().slice(0, 100)];
  const page = { limit: pageLength, ...(before && { before }) };
  const asked = q
    ? await searchRooms(member, { ...page, q }, await findRoomsByCode(member, q))
    : await listRooms(member, page);
  if (!asked.ok && asked.code === "THROTTLED")
    return { rooms: [], next: null, wait: asked.retryAfterSeconds };
  // An invalid cursor shows the first page.
  const listed = asked.ok ? asked : await listRooms(member, { limit: pageLength });
  if (!listed.ok) return { rooms: [], next: null, wait: 0 };
  const standings = await readRoomProgress(
    member,
    listed.rooms.map(({ id }) => id),
  );
  return {
    rooms: listed.rooms.map((card) => describeRoom(card, standings.get(card.id), member.userId)),
    next: listed.next,
    wait: 0,
  };
}

function describeRoom(card: RoomCard, standing: RoomProgress | undefined, me: number): RoomShown {
  const other = card.participants.find(({ id }) => id !== me);
  const { lastMessage: last } = card;
  return {
    id: card.id,
    name: card.name,
    description: card.description,
    createdAt: card.createdAt,
    activityAt: card.activityAt,
    ended: card.status === "inactive",
    mine: card.createdById === me,
    other: other ? { name: other.displayName, initials: other.avatarInitials, role: other.role } : null,
    unread: card.unread,
    last: last && {
      text: last.content,
      by: last.senderId === null ? "midman" : last.senderId === me ? "me" : "them",
      image: last.type === "image",
    },
    trade: standing ? describeTrade(standing) : null,
    waits: findPendingTask(card, standing, other !== undefined),
  };
}

function describeTrade(standing: RoomProgress): TradeSummary {
  const words = pickTradeWords(standing);
  return {
    status: standing.status,
    money: standing.standing.money,
    sum: amountForRole(words, standing.role),
    turn: standing.over && standing.turn === "none" ? null : turnForRole(words, standing.role).turn,
  };
}

/** The task that waits for the reader in a room, and where in the room it is done. */
function findPendingTask(
  card: RoomCard,
  standing: RoomProgress | undefined,
  seatsTaken: boolean,
): PendingTask | null {
  const at = (anchor: string) => `${paths.room(card.id)}${anchor}`;
  if (standing === undefined) {
    if (card.status === "inactive") return null;
    if (!seatsTaken) return { key: "invite", sum: "", href: null };
    return card.role === "seller" ? { key: "request", sum: "", href: at("#trade-panel") } : null;
  }
  if (!standing.own) return null;
  const { turn } = turnForRole(pickTradeWords(standing), standing.role);
  const rest = standing.grossAmount - standing.paidAmount;
  return { key: turn, sum: formatInlineMoney(rest), href: at(turnAnchors[turn] ?? "#trade-panel") };
}

const turnAnchors: Readonly<Record<string, string>> = {
  seller_destination: "#bank",
  seller_confirm: "#step-confirm",
  buyer_confirm: "#step-confirm",
  buyer_explain: "#fold-explain",
  seller_explain: "#fold-explain",
};

function pickTradeWords(standing: RoomProgress) {
  const { status, turn, over, due, heldForChecking, tradeChecked } = standing;
  return {
    status,
    turn,
    over,
    heldForChecking,
    tradeChecked,
    standing: standing.standing,
    gross: standing.grossAmount,
    booked: standing.paidAmount,
    toSeller: due.payoutAmount ?? standing.netAmount,
    refund: due.refund,
  };
}
