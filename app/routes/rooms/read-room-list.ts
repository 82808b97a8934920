import { findRoomsByCode, readRoomProgress } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { listRooms, presentMembers, searchRooms } from "#modules/rooms";
import type { RoomProgress } from "#views/escrow";
import type { PresenceStatus, RoomCard } from "#views/rooms";
import { pickTradeWords } from "../../ui/trade/progress/progress-words.ts";
import {
  amountForRole,
  findTurnClock,
  formatInlineMoney,
  turnForRole,
} from "../../ui/trade/progress/trade-words.ts";
import type { RoomGroup, RoomShown, TradeSummary } from "./types.ts";

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
  const ids = listed.rooms.map(({ id }) => id);
  const standings = await readRoomProgress(member, ids);
  const present = presentMembers(ids);
  return {
    rooms: listed.rooms.map((card) => {
      const people = new Map(present.get(card.id)?.map(({ userId, status }) => [userId, status]));
      return describeRoom(card, standings.get(card.id), member.userId, people);
    }),
    next: listed.next,
    wait: 0,
  };
}

function describeRoom(
  card: RoomCard,
  standing: RoomProgress | undefined,
  me: number,
  present: ReadonlyMap<number, PresenceStatus>,
): RoomShown {
  const other = card.participants.find(({ id }) => id !== me);
  const { lastMessage: last } = card;
  const group = findGroup(card, standing, other !== undefined);
  // What the other person wrote matters more than that one is waiting for them.
  const isNews = card.unread > 0 && last !== null && last.senderId !== null && group !== "yours";
  return {
    readerId: me,
    id: card.id,
    name: card.name,
    description: card.description,
    createdAt: card.createdAt,
    activityAt: card.activityAt,
    ended: card.status === "inactive",
    mine: card.createdById === me,
    other: other
      ? {
          name: other.displayName,
          initials: other.avatarInitials,
          role: other.role,
          presence: present.get(other.id) ?? "offline",
        }
      : null,
    unread: card.unread,
    last: last && {
      text: last.content,
      by: last.senderId === null ? "midman" : last.senderId === me ? "me" : "them",
      image: last.type === "image",
    },
    trade: standing ? describeTrade(standing) : null,
    group,
    next: isNews ? null : findNextStep(card, standing, group),
  };
}

function describeTrade(standing: RoomProgress): TradeSummary {
  const words = pickTradeWords(standing);
  return {
    status: standing.status,
    money: standing.standing.money,
    sum: amountForRole(words, standing.role) ?? {
      label: "history.amount",
      sum: formatInlineMoney(standing.grossAmount),
    },
  };
}

function findGroup(card: RoomCard, standing: RoomProgress | undefined, seatsTaken: boolean): RoomGroup {
  if (standing === undefined) {
    if (card.status === "inactive") return "finished";
    return !seatsTaken || card.role === "seller" ? "yours" : "waiting";
  }
  if (standing.own) return "yours";
  return standing.over && standing.turn === "none" ? "finished" : "waiting";
}

function findNextStep(
  card: RoomCard,
  standing: RoomProgress | undefined,
  group: RoomGroup,
): RoomShown["next"] {
  if (standing === undefined) {
    const key = group !== "yours" ? null : card.participants.length < 2 ? "invite" : "request";
    return key && { key: `chat.waits.${key}`, sum: "", dueAt: null, overdue: false };
  }
  if (group === "finished") {
    const { money } = standing.standing;
    const key = standing.role === "buyer" ? `chat.outcome.buyer.${money}` : `chat.outcome.seller.${money}`;
    return { key, sum: "", dueAt: null, overdue: false };
  }
  const words = pickTradeWords(standing);
  const { turn } = turnForRole(words, standing.role);
  const clock = findTurnClock({ ...words, clocks: standing.clocks });
  const sum = formatInlineMoney(standing.grossAmount - standing.paidAmount);
  return {
    key: group === "yours" ? `chat.waits.${turn}` : `chat.turn.${turn}`,
    sum,
    dueAt: clock === undefined || clock.paused ? null : clock.dueAt,
    overdue: clock?.overdue ?? false,
  };
}
