import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";

type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** When support is open, computed by the server in Mongolian time; `opens` and `closes` read `9:00`. */
interface HoursShown {
  today: Weekday;
  open: boolean;
  opensOn: Weekday | null;
  opens: string;
  closes: string;
  week: Array<{ day: Weekday; works: boolean }>;
}

/** Whether support is open now, and its week with today marked. */
export function Hours({ hours }: { hours: HoursShown }) {
  const t = useT();
  const { today, opens, closes, week } = hours;
  return (
    <Card title={t("support.hours")} id="hours">
      <OpenNow {...hours} />
      <table className="w-full tabular-nums">
        <caption className="sr-only">{t("support.hours")}</caption>
        <tbody>
          {week.map(({ day, works }) => (
            <tr
              key={day}
              aria-current={day === today ? "date" : undefined}
              className={`border-t border-line first:border-t-0 ${day === today ? "bg-brand-soft font-bold" : ""}`}
            >
              <th scope="row" className="px-2 py-1.5 text-left font-[inherit]">
                {t(`support.days.${day}`)}
                {day === today && <span className="ml-2 text-sm text-brand">{t("support.today")}</span>}
              </th>
              <td className={`px-2 py-1.5 text-right ${works ? "" : "text-quiet"}`}>
                {works ? `${opens}–${closes}` : t("support.closed")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-quiet">{t("support.zone")}</p>
    </Card>
  );
}

/** Whether support is open, and until or from when. */
function OpenNow({ open, opensOn, opens, closes }: HoursShown) {
  const t = useT();
  return (
    <p data-open={open} className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <strong
        className={`rounded-full px-3 py-1 text-sm ${open ? "bg-good-soft text-good" : "bg-sunk text-ink"}`}
      >
        {t(open ? "support.openNow" : "support.closedNow")}
      </strong>
      {open && t("support.closesAt", { time: closes })}
      {opensOn && t("support.opensOn", { day: t(`support.days.${opensOn}`), time: opens })}
    </p>
  );
}
