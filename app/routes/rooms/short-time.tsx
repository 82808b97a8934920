import { formatDay, formatMoment, formatShortDay } from "#format";
import { useLanguage } from "../../ui/frame/i18n.tsx";

/** A time in its shortest form: the time of day if today, otherwise the day. */
export function ShortTime({ at, now }: { at: string; now: string }) {
  const language = useLanguage();
  const today = formatDay(at) === formatDay(now);
  return (
    <time
      dateTime={at}
      title={formatMoment(at)}
      className="shrink-0 text-sm whitespace-nowrap text-quiet tabular-nums"
    >
      {today ? formatMoment(at).slice(-5) : formatShortDay(at, language)}
    </time>
  );
}
