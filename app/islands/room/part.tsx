import { Fragment, memo } from "react";
import { Bubble, type Setting } from "./bubble.tsx";
import { dayName } from "./clock.ts";
import type { Line } from "./lines.ts";
import { Notice } from "./notice.tsx";

interface PartProps extends Setting {
  lines: Line[];
  /** The last of these lines that everybody else has read. */
  readSeq: number;
  today: string;
}

/** Some twenty messages. Drawn anew only when one of them changes, and laid out only near to what is in sight. */
export const Part = memo(function Part(props: PartProps) {
  const { lines, today, readSeq, ...setting } = props;
  const role = setting.seats.find(({ id }) => id === setting.me)?.role;
  return (
    <ol className="[contain-intrinsic-height:auto_900px] [content-visibility:auto]">
      {lines.map(({ message, day, isFirstNew, isFirst }) => (
        <Fragment key={message.seq}>
          {day && <Day name={dayName(day, today, setting.strings)} at={day} />}
          {isFirstNew && <FirstNew words={setting.strings.newMessages} />}
          {message.type === "system" ? (
            <Notice message={message} role={role} {...setting} />
          ) : (
            <Bubble message={message} isFirst={isFirst} isRead={message.seq <= readSeq} {...setting} />
          )}
        </Fragment>
      ))}
    </ol>
  );
}, isSame);

/** Lines are made anew with every change of the conversation; what they say decides. */
function isSame(one: PartProps, other: PartProps): boolean {
  const { lines: before, ...rest } = one;
  const { lines: after, ...others } = other;
  const keys = Object.keys(rest) as Array<keyof typeof rest>;
  return (
    keys.every((key) => rest[key] === others[key]) &&
    before.length === after.length &&
    before.every((line, at) => {
      const now = after[at];
      return (
        line.message === now?.message &&
        line.day === now.day &&
        line.isFirst === now.isFirst &&
        line.isFirstNew === now.isFirstNew
      );
    })
  );
}

function Day({ name, at }: { name: string; at: string }) {
  return (
    <li className="py-3 text-center">
      <time dateTime={at} className="rounded-full bg-sunk px-3 py-1 text-xs font-semibold text-quiet">
        {name}
      </time>
    </li>
  );
}

function FirstNew({ words }: { words: string }) {
  return (
    <li
      data-first-new
      className="flex items-center gap-3 py-3 text-xs font-bold text-brand before:h-px before:grow before:bg-brand after:h-px after:grow after:bg-brand"
    >
      {words}
    </li>
  );
}
