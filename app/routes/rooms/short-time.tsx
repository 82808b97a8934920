import { formatDay, formatLongDay, formatLongMoment, formatTime } from "#format";
import { useLanguage } from "../../ui/frame/i18n.tsx";

/** A time in its shortest form: the time of day if today, otherwise the day. */
export function ShortTime({ at, now }: { at: string; now: string }) {
  const language = useLanguage();
  const today = formatDay(at) === formatDay(now);
  return (
    <time
      dateTime={at}
      title={formatLongMoment(at, language)}
      className="shrink-0 text-sm whitespace-nowrap text-quiet tabular-nums"
    >
      {today ? formatTime(at) : formatLongDay(at, language)}
    </time>
  );
}
