import { X } from "lucide";
import { islandPaths } from "../../../island-paths.ts";
import { Icon } from "../../../ui/layout/icon.tsx";
import { authorName } from "../seat.ts";
import type { Quote, RoomStrings, Seat } from "../types.ts";

interface QuoteProps {
  quote: Quote;
  seats: Seat[];
  me: number;
  strings: RoomStrings;
}

/** Who wrote a quoted message, and the beginning of it on at most two lines. */
function QuotedText({ quote, ...setting }: QuoteProps) {
  return (
    <>
      <bdi className="line-clamp-1 text-xs font-bold break-all">{authorName(quote.senderId, setting)}</bdi>
      <span className="line-clamp-2 text-sm whitespace-normal wrap-anywhere">
        {quote.content || setting.strings.actions.picture}
      </span>
    </>
  );
}

/** The quote inside a reply's bubble: a link to the quoted message. Without a room (`roomId` null) it is text. */
export function MessageQuote({ roomId, ...props }: QuoteProps & { roomId: number | null }) {
  const className =
    "my-1 block overflow-hidden rounded-sm border-l-4 border-current bg-brand/10 px-2 py-1 text-inherit no-underline";
  if (roomId === null)
    return (
      <span className={className}>
        <QuotedText {...props} />
      </span>
    );
  return (
    <a
      data-quote={props.quote.seq}
      href={islandPaths.message(roomId, props.quote.seq)}
      title={props.strings.actions.showQuoted}
      className={className}
    >
      <QuotedText {...props} />
    </a>
  );
}

/** The message that is being replied to, above the composer, with a button that cancels the reply. */
export function ReplyBar({ roomId, cancel, ...props }: QuoteProps & { roomId: number; cancel: () => void }) {
  return (
    <div className="flex items-center gap-2 border-l-4 border-brand pl-2 text-brand">
      <p className="min-w-0 grow">
        <span className="sr-only">{props.strings.actions.replyingTo} </span>
        <QuotedText {...props} />
      </p>
      <a
        href={islandPaths.room(roomId)}
        aria-label={props.strings.actions.cancelReply}
        title={props.strings.actions.cancelReply}
        onClick={(event) => {
          event.preventDefault();
          cancel();
        }}
        className="grid size-11 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk"
      >
        <Icon of={X} className="size-5" />
      </a>
    </div>
  );
}
