import { Fragment } from "react";
import { formatTime } from "#format";
import { islandPaths } from "../../../island-paths.ts";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { MidmanMark } from "../../../ui/layout/midman-mark.tsx";
import type { HandOverState, Message, RoomStrings, Seat } from "../types.ts";

type RoomNoticeTone = "plain" | "good" | "warn" | "bad";

const roomNoticeTones: Record<string, RoomNoticeTone> = {
  joined: "good",
  left: "warn",
  markedPaid: "warn",
  paymentPartial: "warn",
  paymentFailed: "bad",
  paymentExpired: "bad",
  handedOver: "good",
  buyerConfirmed: "good",
  sellerConfirmed: "good",
  settled: "good",
  cancelAskedByBuyer: "warn",
  cancelAskedBySeller: "warn",
  buyerAway: "warn",
  sellerAway: "warn",
  buyerAwayUnpaid: "warn",
  sellerAwayUnpaid: "warn",
  buyerBack: "good",
  sellerBack: "good",
  disputeOpenedByBuyer: "bad",
  disputeOpenedBySeller: "bad",
};

const noticeToneClasses: Record<RoomNoticeTone, string> = {
  plain: "border-khadag bg-page",
  good: "border-good bg-good-soft",
  warn: "border-warn bg-warn-soft",
  bad: "border-bad bg-bad-soft",
};

interface NoticeProps {
  message: Message;
  /** The code of the room's trade, where the notice has none of its own. */
  code: string | null;
  /** The reader's role: each party is reminded of their own step. */
  role: Seat["role"] | undefined;
  handOver: HandOverState;
  strings: RoomStrings;
}

/**
 * A notice of Midman's: as wide as the conversation, with Midman's mark and the trade's code, by which anyone can verify it with Midman.
 * Only the server creates notices; a member's message is always a bubble.
 */
export function RoomNotice(props: NoticeProps) {
  const { message, role } = props;
  const kind = message.notice?.code ?? "";
  if (kind === "paymentConfirmed") return <PaymentConfirmedNotice {...props} />;
  const reminder = kind === "handedOver" && role === "buyer" ? props.strings.remindBuyer : undefined;
  return (
    <li
      data-notice={kind}
      className={`mt-2 grid gap-1 border-y px-3 py-2 text-sm ${noticeToneClasses[roomNoticeTones[kind] ?? "plain"]}`}
    >
      <NoticeHead {...props} />
      <NoticeText {...props} />
      <NoticePersonLine {...props} />
      {reminder && <p className="font-semibold text-warn">{reminder}</p>}
      <NoticeCodeLine {...props} />
    </li>
  );
}

/** The notice that tells the seller to hand over. It stands out while it applies, and is struck out once it no longer does. */
function PaymentConfirmedNotice(props: NoticeProps) {
  const { role, strings, handOver } = props;
  if (handOver !== "applies") return <PastPaymentNotice {...props} state={handOver} />;
  return (
    <li
      data-notice="paymentConfirmed"
      className="mt-2 overflow-hidden rounded-control border-2 border-good bg-good-soft"
    >
      <div className="bg-good px-3 py-1.5 text-card">
        <NoticeHead {...props} />
      </div>
      <div className="grid gap-2 px-3 py-3 text-lg font-bold">
        <NoticeText {...props} big />
        {role === "seller" && <p className="text-base text-good">{strings.remindSeller}</p>}
        <NoticeCodeLine {...props} />
      </div>
    </li>
  );
}

function PastPaymentNotice(props: NoticeProps & { state: Exclude<HandOverState, "applies"> }) {
  const { state, strings } = props;
  const superseded = state === "over" ? undefined : strings.superseded[state];
  const said = <NoticeText {...props} />;
  return (
    <li
      data-notice="paymentConfirmed"
      data-superseded={superseded && state}
      className={`mt-2 grid gap-1 border-y px-3 py-2 text-sm ${noticeToneClasses[superseded ? "plain" : "good"]}`}
    >
      <NoticeHead {...props} />
      {superseded ? <del className="text-quiet">{said}</del> : said}
      {superseded && <p className="font-semibold text-bad">{superseded}</p>}
      <NoticeCodeLine {...props} />
    </li>
  );
}

/** Midman's mark, and the time of the notice. */
function NoticeHead({ message, strings }: NoticeProps) {
  return (
    <p className="flex items-center gap-2">
      <MidmanMark className="size-5" />
      <strong className="mr-auto">{strings.notice}</strong>
      <time className="text-xs" dateTime={message.createdAt}>
        {formatTime(message.createdAt)}
      </time>
    </p>
  );
}

/** Highlights amounts. */
function NoticeText({ message, big }: NoticeProps & { big?: boolean }) {
  const look = big ? "text-2xl whitespace-nowrap" : "";
  return (
    <p className="whitespace-pre-line wrap-anywhere">
      {message.content.split(/(\d[\d,]* ₮)/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
        <Fragment key={at}>{at % 2 === 1 ? <b className={look}>{part}</b> : part}</Fragment>
      ))}
    </p>
  );
}

/** The person that the notice is about, shown as an avatar and name below Midman's text: a display name is its owner's own text. */
function NoticePersonLine({ message }: NoticeProps) {
  const person = message.notice?.person;
  if (person === undefined) return null;
  return (
    <p data-person={person.id} className="flex items-center gap-2 rounded-control bg-card px-2 py-1 text-ink">
      <Avatar initials={person.avatarInitials} />
      <bdi className="min-w-0 font-bold text-brand wrap-anywhere">{person.displayName}</bdi>
    </p>
  );
}

function NoticeCodeLine({ message, code, strings }: NoticeProps) {
  const own = message.notice?.params.code ?? code;
  if (typeof own !== "string") return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="font-mono">{own}</span>
      <a
        href={islandPaths.verify(own)}
        aria-label={`${strings.verify} ${own}`}
        className="inline-flex min-h-9 items-center font-semibold text-brand underline underline-offset-4"
      >
        {strings.verify}
      </a>
    </p>
  );
}

/** A rule that applies to every conversation, at its beginning. */
export function OnlyNotices({ strings }: { strings: RoomStrings }) {
  return (
    <p className="mx-auto max-w-md px-4 pt-3 text-center text-xs text-quiet">
      <MidmanMark className="mr-1.5 inline size-4" />
      {strings.onlyNotices}{" "}
      <a
        href={islandPaths.securityGuide}
        className="inline-flex min-h-6 items-center font-semibold underline max-sm:hidden"
      >
        {strings.securityGuide}
      </a>
    </p>
  );
}
