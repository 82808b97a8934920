import { Ellipsis } from "lucide";
import { formatTime } from "#format";
import { islandPaths } from "../../../island-paths.ts";
import { Icon } from "../../../ui/layout/icon.tsx";
import { MessageQuote } from "../actions/message-quote.tsx";
import { MessageContent, PendingPicture } from "../pictures/message-picture.tsx";
import { authorName } from "../seat.ts";
import type { Message, PendingMessage, RoomProps, RoomStrings, Seat } from "../types.ts";
import { Tick } from "./delivery-tick.tsx";
import { mayLeaveLine } from "./disruptive-text.ts";

/** What every message is rendered with. */
export type MessageSetting = Pick<RoomProps, "me" | "code" | "handOver" | "strings"> & {
  seats: Seat[];
  /** Null once the room is deleted: its messages can no longer be reported. */
  roomId: number | null;
  /** The `seq` of the notices whose instruction applies, separated by spaces. */
  askingSeqs: string;
};

// Long words break only if they exceed the full width: computing a minimal width would put each letter on a line of its own.
const bubbleClasses = "min-w-0 max-w-full rounded-2xl px-3 py-1.5 whitespace-pre-wrap wrap-break-word";
const bubbleFootClasses = "float-right mt-1.5 ml-3 text-xs";

// A text that extends beyond its lines is clipped at the bubble's edge, so that it covers nothing of Midman's. Clipping layers are slow on
// a cheap phone, so only such bubbles have one.
const bubbleClassesFor = (isClipped: boolean) =>
  isClipped ? `${bubbleClasses} overflow-hidden` : bubbleClasses;

/** The label of a message's menu has at most this many characters of the message. */
const menuExcerptLength = 60;

interface BubbleProps extends MessageSetting {
  message: Message;
  /** Whether it is the first message of a group by one sender. */
  isFirst: boolean;
  isRead: boolean;
}

/** A member's message. A notice of Midman's is a different element with a different look, so nothing typed can imitate one. */
export function Bubble(props: BubbleProps) {
  return props.message.senderId === props.me ? <OwnBubble {...props} /> : <OtherBubble {...props} />;
}

function OwnBubble({ message, isFirst, isRead, ...setting }: BubbleProps) {
  const { strings } = setting;
  return (
    <li
      id={`m${message.seq}`}
      className={`flex items-start justify-end rounded-2xl target:bg-brand-soft ${isFirst ? "pt-2" : "pt-0.5"}`}
    >
      <MessageMenu message={message} {...setting} />
      <div
        className={`bg-brand text-brand-ink ${bubbleClassesFor(mayLeaveLine(message.content))} ${isFirst ? "rounded-tr-sm" : ""}`}
      >
        {isFirst && <span className="sr-only">{strings.mine}: </span>}
        {message.replyTo && <MessageQuote quote={message.replyTo} {...setting} />}
        <MessageContent message={message} name={strings.mine} strings={strings}>
          <span className={bubbleFootClasses}>
            <time dateTime={message.createdAt}>{formatTime(message.createdAt)}</time>
            <Tick state={isRead ? "read" : "sent"} strings={strings} />
          </span>
        </MessageContent>
      </div>
    </li>
  );
}

/**
 * A message of the other person. The bar names them, so the message shows no name of its own; screen readers read one. A message of a person
 * who has left says so: it must not look like one of the person who is in the room now.
 */
function OtherBubble({ message, isFirst, isRead: _, ...setting }: BubbleProps) {
  const { seats, strings } = setting;
  const sender = seats.find((seat) => seat.id === message.senderId);
  const name = sender?.displayName ?? strings.formerMember;
  const isClipped = mayLeaveLine(message.content);
  return (
    <li
      id={`m${message.seq}`}
      className={`flex items-start gap-2 rounded-2xl target:bg-brand-soft ${isFirst ? "pt-2" : "pt-0.5"}`}
    >
      <div className={`bg-card shadow-sm ${bubbleClassesFor(isClipped)} ${isFirst ? "rounded-tl-sm" : ""}`}>
        {isFirst &&
          (sender ? (
            <bdi className="sr-only">{name}: </bdi>
          ) : (
            <span className={`block text-sm font-bold text-quiet ${isClipped ? "relative bg-inherit" : ""}`}>
              {name}
            </span>
          ))}
        {message.replyTo && <MessageQuote quote={message.replyTo} {...setting} />}
        <MessageContent message={message} name={name} strings={strings}>
          <time className={`text-quiet ${bubbleFootClasses}`} dateTime={message.createdAt}>
            {formatTime(message.createdAt)}
          </time>
        </MessageContent>
      </div>
      <MessageMenu message={message} {...setting} />
    </li>
  );
}

/**
 * The actions on a message. With script its button opens a dialog (use-message-actions.ts), and so does a long press; without, the links
 * open inline, because the conversation clips overflowing content. Its negative margins give a touch target of full size without a taller
 * line.
 */
function MessageMenu({ message, ...setting }: MessageSetting & { message: Message }) {
  const { me, roomId, strings } = setting;
  if (roomId === null) return null;
  const author = message.senderId !== null && authorName(message.senderId, setting);
  // Every message has such a button: the excerpt tells them apart for a screen reader.
  const about = [author, formatTime(message.createdAt), message.content.slice(0, menuExcerptLength)];
  const linkClasses = "inline-flex min-h-11 min-w-11 items-center font-semibold underline underline-offset-4";
  return (
    <details data-menu className="message-menu -my-1 -mr-1 -ml-2 shrink-0 self-end text-sm text-quiet">
      <summary
        data-actions
        aria-label={`${strings.more}: ${about.filter(Boolean).join(", ")}`}
        className="grid size-11 cursor-pointer place-items-center rounded-full hover:bg-sunk"
      >
        <Icon of={Ellipsis} className="size-4" />
      </summary>
      <a href={islandPaths.replyTo(roomId, message.seq)} className={linkClasses}>
        {strings.actions.reply}
      </a>
      {message.senderId !== me && (
        <a href={islandPaths.reportMessage(roomId, message.id)} className={`ml-3 ${linkClasses}`}>
          {strings.report}
        </a>
      )}
      <p className="max-w-48 pb-1">{strings.actions.unchangeable}</p>
    </details>
  );
}

interface PendingBubbleProps {
  item: PendingMessage;
  me: number;
  seats: Seat[];
  strings: RoomStrings;
  retry: (item: PendingMessage) => void;
  discard: (item: PendingMessage) => void;
}

/** A message that is being sent. Once it is refused, it shows the reason, and the person sends it again or discards it. */
export function PendingBubble({ item, me, seats, strings, retry, discard }: PendingBubbleProps) {
  const failed = item.failed !== undefined;
  return (
    <li className="grid justify-items-end gap-1 pt-2 pl-12">
      <div
        className={`${bubbleClasses} ${failed ? "border border-bad bg-bad-soft" : "bg-brand text-brand-ink"}`}
      >
        {item.replyTo && <MessageQuote quote={item.replyTo} roomId={null} {...{ me, seats, strings }} />}
        {item.kind === "text" ? (
          item.content
        ) : (
          <PendingPicture item={item} strings={strings} discard={discard} />
        )}
        {!failed && (
          <span className={bubbleFootClasses}>
            <Tick state="sending" strings={strings} />
          </span>
        )}
      </div>
      {failed && (
        <p role="alert" className="text-right text-sm text-bad">
          {item.failed}
          <span className="flex flex-wrap justify-end gap-x-4">
            <button type="button" onClick={() => retry(item)} className={pendingActionClasses}>
              {strings.unsent}
            </button>
            <button type="button" onClick={() => discard(item)} className={pendingActionClasses}>
              {strings.discard}
            </button>
          </span>
        </p>
      )}
    </li>
  );
}

const pendingActionClasses = "min-h-11 cursor-pointer font-semibold underline underline-offset-4";
