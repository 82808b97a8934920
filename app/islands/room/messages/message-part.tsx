import { Fragment, memo } from "react";
import { dayName } from "./day-name.ts";
import { Bubble, type MessageSetting } from "./message-bubble.tsx";
import type { MessageLine } from "./message-lines.ts";
import { RoomNotice } from "./room-notice.tsx";

interface MessagePartProps extends MessageSetting {
  lines: MessageLine[];
  /** The last of these lines that another member has read. */
  readSeq: number;
  today: string;
}

/** About five messages. Rendered again only when one of them changes, and laid out only near the visible area. */
export const MessagePart = memo(function Part(props: MessagePartProps) {
  const { lines, today, readSeq, ...setting } = props;
  const role = setting.seats.find(({ id }) => id === setting.me)?.role;
  return (
    <ol className="[contain-intrinsic-height:auto_250px] [content-visibility:auto]">
      {lines.map(({ message, day, isFirstNew, isFirst }) => (
        <Fragment key={message.seq}>
          {day && <DayDivider name={dayName(day, today, setting.strings)} at={day} />}
          {isFirstNew && <NewMessagesDivider words={setting.strings.newMessages} />}
          {message.type === "system" ? (
            <RoomNotice message={message} role={role} {...setting} />
          ) : (
            <Bubble message={message} isFirst={isFirst} isRead={message.seq <= readSeq} {...setting} />
          )}
        </Fragment>
      ))}
    </ol>
  );
}, arePropsEqual);

/** Compares lines one by one: the array is new with every change of the conversation, the lines are not. */
function arePropsEqual(
  { lines, ...rest }: MessagePartProps,
  { lines: after, ...others }: MessagePartProps,
): boolean {
  const keys = Object.keys(rest) as Array<keyof typeof rest>;
  return (
    keys.every((key) => rest[key] === others[key]) &&
    lines.length === after.length &&
    lines.every((line, at) => line === after[at])
  );
}

function DayDivider({ name, at }: { name: string; at: string }) {
  return (
    <li className="py-3 text-center">
      <time dateTime={at} className="rounded-full bg-sunk px-3 py-1 text-xs font-semibold text-quiet">
        {name}
      </time>
    </li>
  );
}

function NewMessagesDivider({ words }: { words: string }) {
  return (
    <li
      id="new"
      data-first-new
      className="flex items-center gap-3 py-3 text-xs font-bold text-brand before:h-px before:grow before:bg-brand after:h-px after:grow after:bg-brand"
    >
      {words}
    </li>
  );
}
