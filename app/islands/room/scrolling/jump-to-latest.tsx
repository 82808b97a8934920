import { ArrowDown } from "lucide";
import { Icon } from "../../../ui/layout/icon.tsx";
import { isReadableMessage } from "../messages/message-lines.ts";
import type { Message } from "../types.ts";

/** Button back to the end, with the number of messages that others have sent since the reader left it. */
export function JumpToLatest(props: {
  messages: Message[];
  me: number;
  after: number;
  words: string;
  go: () => void;
}) {
  const { messages, me, after } = props;
  const since = messages.filter(
    (message) => message.seq > after && message.senderId !== me && isReadableMessage(message),
  );
  return (
    <button
      type="button"
      onClick={props.go}
      title={props.words}
      className="absolute right-2 bottom-2 inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-1 rounded-full border border-edge bg-card px-3 font-bold text-brand shadow-lift"
    >
      <span className="sr-only">{props.words}</span>
      {since.length > 0 && <span className="tabular-nums">{since.length}</span>}
      <Icon of={ArrowDown} />
    </button>
  );
}
