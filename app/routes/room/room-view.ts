import { currentTime } from "#db/clock";
import { getTranslator, type Language } from "#locales";
import { requestObstacle, tradeOfRoom } from "#modules/escrow";
import { type Member, readOwnProfile } from "#modules/identity";
import { markRead, presentMembers, readHistory, readRoom } from "#modules/rooms";
import type { Participant, PresenceChange, Room } from "#views/rooms";
import { seatOf } from "../../islands/room/seat.ts";
import type { RoomProps } from "../../islands/room/types.ts";
import { paths } from "../../paths.ts";
import { packRefusal } from "../../server/pages/posted-forms.ts";
import { actionWords } from "../../server/texts/action-words.ts";
import { bodyWords } from "../../server/texts/away-links.ts";
import { readDocumentFacts } from "../../server/texts/document-facts.ts";
import { pictureWords } from "../../server/texts/picture-words.ts";
import { quoteFees } from "../../server/texts/quoted-fees.ts";
import { findAskingCodes } from "../../ui/trade/progress/asking-codes.ts";
import { handOverOf } from "../../ui/trade/progress/trade-words.ts";
import type { PanelProps, SeatShown, TradeShown } from "../../ui/trade/types.ts";
import type { RoomPlace } from "./conversation/room-place.ts";
import { shownTrade } from "./trade/trade-shown.ts";

/** Messages per page: enough to fill a window. More load while the reader scrolls, so a long room costs no more than a short one. */
const pageLength = 25;

/** A page that opens where the person stopped reading shows at most this many unread messages, and a few before them. */
const maxUnreadShown = 100;
const readLeadCount = 4;

/** Everything that the trade's panel shows a member, or the refusal for an outsider. */
export async function panelOf(member: Member, roomId: number) {
  const [found, traded, prefill] = await Promise.all([
    readRoom(member, roomId),
    tradeOfRoom(member, roomId),
    prefillOf(member),
  ]);
  if (!found.ok) return found;
  if (!traded.ok) return traded;
  const { trade } = traded;
  const seatsTaken = found.room.participants.length === 2;
  const { role, status } = found.room;
  const cards = trade && shownTrade(trade);
  const told = readDocumentFacts(member.language);
  const locked = trade !== null && (trade.invoiceId !== null || trade.endedAt !== null);
  const mayChoose = found.room.createdById === member.userId;
  const canRequestPayment = trade === null && role === "seller" && seatsTaken && status === "active";
  const buyer = found.room.participants.find(({ id }) => id !== member.userId);
  const obstacle =
    canRequestPayment && buyer !== undefined ? await requestObstacle(member, buyer.id) : undefined;
  const present = presentMembers([roomId]).get(roomId) ?? [];
  const panel: PanelProps = {
    room: { id: found.room.id, name: found.room.name, description: found.room.description },
    seats: found.room.participants.map((person) => seatShown(person, member.userId, cards, present)),
    roles: locked ? "locked" : mayChoose ? "swap" : "creator",
    role,
    seatsTaken,
    serverNow: trade?.serverTime ?? currentTime().toISOString(),
    canCreate: canRequestPayment && obstacle === undefined,
    obstacle: obstacle === undefined ? null : packRefusal(obstacle),
    trade: cards,
    payWithin: String(told.paymentWindow),
    qrLifetime: String(told.qrLifetime),
    changeWithin: String(told.changePasswordWithin),
    quotes: trade?.can.amend ? quoteFees(trade.amount) : null,
    prefill,
  };
  return { ok: true as const, panel, room: found.room, lastSeq: found.lastSeq, trade };
}

/** Initial values of the account forms, from the person's profile. */
export async function prefillOf(member: Member): Promise<PanelProps["prefill"]> {
  const own = await readOwnProfile(member);
  return {
    accountName: "",
    accountNumber: own.ok ? (own.user.bankAccount ?? "") : "",
    phoneNumber: own.ok ? (own.user.phoneNumber ?? "") : "",
    email: member.email,
  };
}

/** Details that the parties shared in the trade take precedence over the profile's. */
function seatShown(
  person: Participant,
  me: number,
  trade: TradeShown | null,
  present: readonly PresenceChange[],
): SeatShown {
  const status = present.find(({ userId }) => userId === person.id)?.status;
  const told = trade && (person.id === me ? trade.mine : trade.theirs);
  const account = told?.accountNumber && [told.bankName, told.accountNumber].filter(Boolean).join(" ");
  return {
    id: person.id,
    name: person.displayName,
    initials: person.avatarInitials,
    me: person.id === me,
    role: person.role,
    phone: told?.phoneNumber || person.phoneNumber || null,
    bank: account || person.bankAccount || null,
    lastSeenAt: person.lastSeenAt,
    presence: person.id === me || status === undefined || status === "offline" ? null : status,
  };
}

/** The conversation's props: a page of messages, the latest unless the address asks for others, and the texts they need. */
export async function conversationOf(
  member: Member,
  { room: of, lastSeq, panel }: { room: Room; lastSeq: number; panel: PanelProps },
  place: RoomPlace,
  asked: LoadedHistory,
): Promise<RoomProps> {
  const known = of.participants.find(({ id }) => id === member.userId)?.readSeq ?? 0;
  // An address with `?new=` names what was read: the page it came from has since advanced the read mark.
  const readSeq = place.since ?? known;
  const wanted = historyRangeFor(place, lastSeq, readSeq);
  const read = isSameJson(asked.page, wanted) ? asked.read : await readHistory(member, of.id, wanted);
  const messages = read.ok ? read.messages : [];
  const first = messages[0]?.seq ?? 1;
  return {
    roomId: of.id,
    code: panel.trade?.code ?? null,
    handOver: handOverOf(panel.trade),
    askingCodes: findAskingCodes(panel.trade, panel.role),
    me: member.userId,
    now: currentTime().toISOString(),
    readSeq,
    seats: of.participants.map(seatOf),
    messages,
    hasOlder:
      (place.since !== undefined || place.around !== undefined || messages.length >= pageLength) && first > 1,
    olderHref: `${paths.room(of.id)}?before=${first}`,
    reply: null,
    draft: "",
    draftError: null,
    clientId: crypto.randomUUID(),
    upload: { clientId: crypto.randomUUID(), caption: "", error: null },
    strings: stringsOf(member.language, of.id),
  };
}

/** A page of messages, and the result of reading it. */
type LoadedHistory = { page: object; read: Awaited<ReturnType<typeof readHistory>> };

/**
 * Reads the page of messages that an address shows to a person with few unread messages; `conversationOf` uses it if it is the right one.
 */
export async function likelyPage(member: Member, roomId: number, place: RoomPlace): Promise<LoadedHistory> {
  const page = historyRangeFor(place, 0, 0);
  return { page, read: await readHistory(member, roomId, page) };
}

const isSameJson = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

function historyRangeFor({ before, since, around }: RoomPlace, lastSeq: number, readSeq: number) {
  // Begins with the last message that was read, at the head of the list, so that the place is found without script too.
  if (since !== undefined) return { limit: maxUnreadShown, after: Math.max(0, Math.min(since, lastSeq) - 1) };
  if (around !== undefined)
    return { limit: 2 * pageLength, after: Math.max(0, Math.min(around, lastSeq || around) - pageLength) };
  if (before !== undefined) return { limit: pageLength, before };
  return { limit: pageLengthFor(lastSeq, readSeq) };
}

/** The latest messages reach back to where the person stopped reading, unless that is too far: more load while scrolling. */
function pageLengthFor(lastSeq: number, readSeq: number): number {
  const unread = lastSeq - readSeq;
  return readSeq === 0 || unread > maxUnreadShown ? pageLength : Math.max(pageLength, unread + readLeadCount);
}

/** Marks the messages on the page as read; writes nothing if none of them is new. */
export async function markShownRead(member: Member, { roomId, readSeq, messages }: RoomProps): Promise<void> {
  const last = messages.at(-1)?.seq ?? 0;
  if (last > readSeq) await markRead(member, roomId, last);
}

/** The texts of a room's conversation in a language. */
export function stringsOf(language: Language, roomId: number): RoomProps["strings"] {
  const t = getTranslator(language);
  return {
    conversation: t("room.conversation"),
    messages: t("room.messages"),
    placeholder: t("room.placeholder"),
    send: t("room.send"),
    connected: t("room.connected"),
    reconnecting: t("room.reconnecting"),
    typing: t("room.typing"),
    mine: t("room.mine"),
    formerMember: t("room.formerMember"),
    sending: t("room.sending"),
    sent: t("room.sent"),
    read: t("room.read"),
    messageKeys: t("room.messageKeys"),
    more: t("room.more"),
    actions: actionWords(language),
    report: t("room.report"),
    unsent: t("room.unsent"),
    discard: t("room.discard"),
    outdated: t("room.outdated"),
    outboxFull: t("room.outboxFull"),
    left: t("room.left"),
    offline: t("room.offline"),
    refused: t("room.refused"),
    newMessages: t("room.newMessages"),
    latest: t("room.latest"),
    today: t("room.today"),
    yesterday: t("room.yesterday"),
    language,
    older: t("room.older"),
    empty: t("room.empty"),
    notice: t("room.notice"),
    noticePerson: t("room.noticePerson", { name: "[name]" }),
    verify: t("room.verify"),
    remindSeller: t("room.remindSeller"),
    remindBuyer: t("room.remindBuyer", {
      changePasswordWithin: readDocumentFacts(language).changePasswordWithin ?? "",
    }),
    refundOfPayment: t("room.superseded.refund"),
    superseded: {
      ended: t("room.superseded.ended"),
      cancelled: t("room.superseded.cancelled"),
      disputed: t("room.superseded.disputed"),
      checking: t("room.superseded.checking"),
    },
    onlyNotices: t("room.onlyNotices"),
    securityGuide: t("footer.securityGuide"),
    presence: {
      online: t("room.presence.online"),
      away: t("room.presence.away"),
      busy: t("room.presence.busy"),
      offline: t("room.presence.offline"),
    },
    lastSeen: t("room.lastSeen", { when: "[when]" }),
    body: bodyWords(language, roomId),
    picture: pictureWords(language),
  };
}
