import { Activity as Pulse } from "lucide";
import { formatLogMoment } from "#format";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import type { LogShown } from "../logs/shown-activity.ts";
import { Moment } from "../moment.tsx";

interface ActivityProps {
  entries: LogShown[];
  /** The link to more entries. */
  more: string | null;
  stats: { lastSeenAt: string | null; devices: number; bought: number; sold: number; completed: number };
}

/** A person's actions, newest first, below a few figures. */
export function UserActivity({ entries, more, stats }: ActivityProps) {
  const t = useT();
  const count = (value: number) => value.toLocaleString("en-US");
  const rows = [
    { label: t("admin.users.lastActive"), value: stats.lastSeenAt ? <Moment at={stats.lastSeenAt} /> : "–" },
    { label: t("admin.users.devices"), value: count(stats.devices) },
    { label: t("admin.users.bought"), value: count(stats.bought) },
    { label: t("admin.users.sold"), value: count(stats.sold) },
    { label: t("admin.users.completed"), value: count(stats.completed) },
  ];
  return (
    <>
      <FactList rows={rows} />
      {entries.length === 0 && <EmptyState icon={Pulse} title={t("admin.users.noActivity")} />}
      <ol className="grid gap-3 empty:hidden">
        {entries.map((entry) => (
          <Entry key={entry.id} {...entry} />
        ))}
      </ol>
      {more !== null && (
        <ButtonLink to={more} className="justify-self-start">
          {t("admin.users.more")}
        </ButtonLink>
      )}
    </>
  );
}

function Entry({ id, at, action, roomId, ip, device }: LogShown) {
  const t = useT();
  const where = [roomId !== null && t("admin.users.room", { id: roomId }), ip, device].filter(Boolean);
  return (
    <li id={`entry-${id}`} className="grid gap-0.5 border-l-2 border-line pl-4">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <strong>{action}</strong>
        <time dateTime={at} className="text-sm text-quiet tabular-nums">
          {formatLogMoment(at)}
        </time>
      </span>
      {where.length > 0 && <span className="text-sm text-quiet wrap-anywhere">{where.join(" · ")}</span>}
    </li>
  );
}
