import { findRoomsByCode, readRoomProgress, readTradeRooms } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { listRoomsByTurn, presentMembers, searchRooms } from "#modules/rooms";
import type { RoomProgress } from "#views/escrow";
import type { GroupedRoomCard, PresenceStatus, RoomGroup, RoomTurn } from "#views/rooms";
import { pickTradeWords } from "../../ui/trade/progress/progress-words.ts";
import {
  findTurnClock,
  formatInlineMoney,
  moneyForRole,
  turnForRole,
} from "../../ui/trade/progress/trade-words.ts";
import type { RoomShown, TradeSummary } from "./types.ts";

/** Rooms per page. */
const pageLength = 24;

/**
 * A page of the person's rooms; `before` and `q` come from the address and may be invalid. `wait`: seconds until the person may search
 * again.
 */
export async function readRoomList(member: Member, query: URLSearchParams) {
  const [before, q] = [query.get("before"), query.get("q")?.trim().slice(0, 100)];
  const page = { limit: pageLength, ...(before && { before }) };
  const { open, finished } = await readTradeRooms(member);
  const turns = listTurns(open, finished);
  const asked = q
    ? await searchRooms(member, { ...page, q }, turns, await findRoomsByCode(member, q))
    : await listRoomsByTurn(member, page, turns);
  if (!asked.ok && asked.code === "THROTTLED")
    return { rooms: [], next: null, wait: asked.retryAfterSeconds };
  // An invalid cursor shows the first page.
  const listed = asked.ok ? asked : await listRoomsByTurn(member, { limit: pageLength }, turns);
  if (!listed.ok) return { rooms: [], next: null, wait: 0 };
  const ids = listed.rooms.map(({ id }) => id);
  const shownFinished = ids.filter((id) => !open.has(id));
  const standings = new Map([...open, ...(await readRoomProgress(member, shownFinished))]);
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

/** Who acts next in each room with a trade, and until when. */
function listTurns(open: ReadonlyMap<number, RoomProgress>, finished: readonly number[]): RoomTurn[] {
  return [
    ...[...open].map(([roomId, progress]): RoomTurn => {
      const group = groupOfTrade(progress);
      return { roomId, group, dueAt: findDeadline(progress)?.dueAt ?? null };
    }),
    ...finished.map((roomId): RoomTurn => ({ roomId, group: "finished", dueAt: null })),
  ];
}

function groupOfTrade({ own, over, turn }: RoomProgress): RoomGroup {
  if (own) return "yours";
  return over && turn === "none" ? "finished" : "waiting";
}

/** The running clock of the current turn: when it ends, null if it is paused, and whether that has passed. */
function findDeadline(progress: RoomProgress): { dueAt: string | null; overdue: boolean } | undefined {
  const clock = findTurnClock({ ...pickTradeWords(progress), clocks: progress.clocks });
  return clock && { dueAt: clock.paused ? null : clock.dueAt, overdue: clock.overdue };
}

function describeRoom(
  card: GroupedRoomCard,
  progress: RoomProgress | undefined,
  me: number,
  present: ReadonlyMap<number, PresenceStatus>,
): RoomShown {
  const other = card.participants.find(({ id }) => id !== me);
  const { lastMessage: last, group } = card;
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
    trade: progress ? describeTrade(progress) : null,
    group,
    groupSize: card.groupSize,
    next: isNews ? null : findNextStep(card, progress),
  };
}

function describeTrade(progress: RoomProgress): TradeSummary {
  const words = pickTradeWords(progress);
  const { state, word, amount } = moneyForRole(words, progress.role);
  return {
    status: progress.status,
    money: state,
    word,
    sum: amount ?? {
      label: "history.amount",
      sum: formatInlineMoney(progress.grossAmount),
    },
  };
}

function findNextStep(card: GroupedRoomCard, progress: RoomProgress | undefined): RoomShown["next"] {
  const { group } = card;
  if (progress === undefined) {
    const key = group !== "yours" ? null : card.participants.length < 2 ? "invite" : "request";
    return key && { key: `chat.waits.${key}`, sum: "", dueAt: null, overdue: false };
  }
  if (group === "finished") {
    const { state: money } = moneyForRole(pickTradeWords(progress), progress.role);
    const key = progress.role === "buyer" ? `chat.outcome.buyer.${money}` : `chat.outcome.seller.${money}`;
    return { key, sum: "", dueAt: null, overdue: false };
  }
  const words = pickTradeWords(progress);
  const { turn } = turnForRole(words, progress.role);
  const deadline = findDeadline(progress);
  const sum = formatInlineMoney(progress.grossAmount - progress.paidAmount);
  return {
    key: group === "yours" ? `room.strip.turn.${turn}` : `chat.turn.${turn}`,
    sum,
    dueAt: deadline?.dueAt ?? null,
    overdue: deadline?.overdue ?? false,
  };
}
