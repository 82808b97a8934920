import { formatLongMoment, formatShortTime } from "#format";
import { useLanguage } from "../frame/i18n.tsx";

/** A time in its shortest form: the time of day, yesterday, the day of the month, or the date. */
export function ShortTime({ at, now }: { at: string; now: string }) {
  const language = useLanguage();
  return (
    <time
      dateTime={at}
      title={formatLongMoment(at, language)}
      className="justify-self-end text-xs whitespace-nowrap text-quiet tabular-nums"
    >
      {formatShortTime(at, now, language)}
    </time>
  );
}
