import { ShieldCheck } from "lucide";
import { Fragment, type ReactNode } from "react";
import { formatTime } from "#format";
import { islandPaths } from "../../../island-paths.ts";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { MidmanMark } from "../../../ui/layout/midman-mark.tsx";
import type { HandOverState, Message, RoomStrings, Seat } from "../types.ts";

/** Notices of something that stopped the trade or may stop it. */
const alarmingNotices: ReadonlySet<string> = new Set([
  ...["paymentFailed", "paymentExpired", "paymentOnHold", "tradeOnHold"],
  ...["disputeOpenedByBuyer", "disputeOpenedBySeller"],
  ...["buyerAway", "sellerAway", "buyerAwayUnpaid", "sellerAwayUnpaid"],
]);

interface NoticeProps {
  message: Message;
  /** The code of the room's trade, where the notice has none of its own. */
  code: string | null;
  /** The reader's role: each party is reminded of their own step. */
  role: Seat["role"] | undefined;
  handOver: HandOverState;
  /** The `seq` of the notices whose instruction applies, separated by spaces. */
  askingSeqs: string;
  strings: RoomStrings;
}

/**
 * A notice of Midman's: a line as wide as the conversation, with Midman's mark. A press shows the trade's code, by which anyone can verify
 * it with Midman. Only the server creates notices; a member's message is always a bubble.
 */
export function RoomNotice(props: NoticeProps) {
  const { message, strings, role, handOver } = props;
  const kind = message.notice?.code ?? "";
  const isConfirmation = kind === "paymentConfirmed";
  if (isConfirmation && (handOver === "applies" || handOver === "over")) {
    return <PaymentConfirmedCard {...props} />;
  }
  // Once something forbids the handover, or Midman no longer holds the money, the confirmation is a line that says so. The buyer of a
  // cancelled trade, who hands nothing over, reads of the refund.
  const superseded =
    isConfirmation && handOver !== "applies" && handOver !== "over"
      ? strings.superseded[handOver]
      : undefined;
  const isReminded = kind.startsWith("handedOver") && role === "buyer" && isAsking(props);
  return (
    <NoticeLine {...props}>
      {superseded && handOver === "cancelled" ? (
        <del>{noticeTextOf(props)}</del>
      ) : (
        <NoticeText {...props} factOnly={superseded !== undefined || isReminded} />
      )}
      {superseded &&
        (handOver === "cancelled" && role === "buyer" ? (
          <strong className="block text-ink">{strings.refundOfPayment}</strong>
        ) : (
          <strong className={`block ${handOver === "ended" ? "text-ink" : "text-bad"}`}>{superseded}</strong>
        ))}
      {isReminded && <strong className="block text-warn">{strings.remindBuyer}</strong>}
    </NoticeLine>
  );
}

/** One line, which opens to the trade's code and its verification; a notice without a code does not open. */
function NoticeLine({ children, ...props }: NoticeProps & { children: ReactNode }) {
  const { message, handOver } = props;
  const kind = message.notice?.code ?? "";
  const code = codeOf(props);
  const line = (
    <>
      <MidmanMark className={`size-4 shrink-0 ${alarmingNotices.has(kind) ? "text-bad" : ""}`} />
      <span className="min-w-0 grow whitespace-pre-line wrap-anywhere">
        <span className="sr-only">{props.strings.notice}: </span>
        {children}
      </span>
      <NoticeTime {...props} />
    </>
  );
  const lineClasses = "flex min-h-11 items-center gap-2 py-0.5 leading-snug lg:min-h-8";
  return (
    <li
      data-notice={kind}
      data-superseded={kind === "paymentConfirmed" ? handOver : undefined}
      className="px-1 text-sm text-quiet"
    >
      {code === undefined ? (
        <p className={lineClasses}>{line}</p>
      ) : (
        <details>
          <summary className={`${lineClasses} cursor-pointer rounded-control hover:bg-sunk`}>{line}</summary>
          <p className="flex flex-wrap items-center gap-x-3 pl-6">
            {props.strings.notice}
            <NoticeCode code={code} strings={props.strings} />
          </p>
        </details>
      )}
      <NoticePersonLine {...props} />
    </li>
  );
}

/** The one notice to trust before anything is handed over: a card, with its code and "Verify" in sight. */
function PaymentConfirmedCard(props: NoticeProps) {
  const { role, strings, handOver } = props;
  const code = codeOf(props);
  return (
    <li
      data-notice="paymentConfirmed"
      className="my-2 flex items-start gap-2 rounded-control border-2 border-good bg-good-soft px-2.5 pt-2 lg:gap-3 lg:px-3 lg:pb-1"
    >
      <Icon of={ShieldCheck} className="size-6 shrink-0 text-good" />
      <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)_auto] gap-x-2 wrap-anywhere">
        <p className="leading-snug font-bold text-good">
          <span className="sr-only">{strings.notice}: </span>
          <NoticeText {...props} factOnly />
        </p>
        <NoticeTime {...props} />
        {handOver === "applies" && (
          <p className="col-span-2 text-sm">{role === "seller" ? strings.remindSeller : askOf(props)}</p>
        )}
        {code !== undefined && (
          <p className="col-span-2 flex flex-wrap items-center gap-x-3 text-sm">
            <NoticeCode code={code} strings={strings} />
          </p>
        )}
      </div>
    </li>
  );
}

function NoticeTime({ message }: NoticeProps) {
  return (
    <time className="mt-0.5 shrink-0 text-xs" dateTime={message.createdAt}>
      {formatTime(message.createdAt)}
    </time>
  );
}

const isAsking = ({ message, askingSeqs }: NoticeProps) =>
  askingSeqs.split(" ").includes(String(message.seq));

/** What happened; while it still applies, also what the notice asks for. */
function noticeTextOf(props: NoticeProps): string {
  const { content, notice } = props.message;
  return isAsking(props) ? content : (notice?.fact ?? content);
}

/** What the notice asks for; empty if it asks nothing. A notice's text begins with its fact (`noticeWords` in modules/rooms). */
function askOf({ message: { content, notice } }: NoticeProps): string {
  return notice?.fact === undefined ? "" : content.slice(notice.fact.length).trim();
}

/** Highlights amounts. */
function NoticeText(props: NoticeProps & { factOnly?: boolean }) {
  const said = props.factOnly ? (props.message.notice?.fact ?? props.message.content) : noticeTextOf(props);
  return said.split(/(\d[\d,]* ₮)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
    <Fragment key={at}>{at % 2 === 1 ? <b className="whitespace-nowrap">{part}</b> : part}</Fragment>
  ));
}

/** The person that the notice is about, below Midman's text: a label and the name in quotes, since a display name is its owner's own text. */
function NoticePersonLine({ message, strings }: NoticeProps) {
  const person = message.notice?.person;
  if (person === undefined) return null;
  const [before = "", after = ""] = strings.noticePerson.split("[name]");
  return (
    <p data-person={person.id} className="flex items-center gap-2 pb-1 pl-6 text-ink">
      <Avatar initials={person.avatarInitials} />
      <span className="line-clamp-2 max-[22rem]:line-clamp-none min-w-0 wrap-anywhere">
        {before}
        <bdi>{person.displayName.replaceAll(quoteMarks, "’")}</bdi>
        {after}
      </span>
    </p>
  );
}

/** Marks that would end the quotes around a name. */
const quoteMarks = /["“”„‟«»‹›〝〞〟＂]/g;

function codeOf({ message, code }: NoticeProps): string | undefined {
  const own = message.notice?.params.code ?? code;
  return typeof own === "string" ? own : undefined;
}

function NoticeCode({ code, strings }: { code: string; strings: RoomStrings }) {
  return (
    <>
      <span className="font-mono">{code}</span>
      <a
        href={islandPaths.verify(code)}
        aria-label={`${strings.verify} ${code}`}
        className="inline-flex min-h-11 items-center font-semibold lg:min-h-9 text-brand underline underline-offset-4"
      >
        {strings.verify}
      </a>
    </>
  );
}

/** At the beginning of every conversation: only Midman's notices can be trusted, and where to read about it. */
export function TrustOnlyNotices({ strings }: { strings: RoomStrings }) {
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
