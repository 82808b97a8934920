import { day, moment, shortDay } from "#format";
import { useLanguage } from "../../ui/frame/i18n.tsx";

/** When something happened, as short as it can be said: the time of today, the day of another. */
export function When({ at, now }: { at: string; now: string }) {
  const language = useLanguage();
  const today = day(at) === day(now);
  return (
    <time
      dateTime={at}
      title={moment(at)}
      className="shrink-0 text-sm whitespace-nowrap text-quiet tabular-nums"
    >
      {today ? moment(at).slice(-5) : shortDay(at, language)}
    </time>
  );
}
