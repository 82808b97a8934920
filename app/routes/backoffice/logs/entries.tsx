import type { ReactNode } from "react";
import { formatLogMoment } from "#format";
import { paths } from "../../../paths.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import type { LogShown } from "./shown-activity.ts";

const missingText = "-";

/** Entries as a list, each with all its details. */
export function LogList({ logs }: { logs: LogShown[] }) {
  return (
    <ul className="grid grid-cols-1 gap-3">
      {logs.map((log) => (
        <li key={log.id} data-row className="min-w-0">
          <Entry {...log} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ id, userId, name, roomId, action, ip, device, at, data }: LogShown) {
  const t = useT();
  const who = <LogPerson userId={userId} name={`(${name})`} />;
  const facts: Array<[string, ReactNode]> = [
    [t("admin.logs.userId"), who],
    ...(roomId === null ? [] : [[t("admin.logs.room"), String(roomId)] satisfies [string, ReactNode]]),
    [t("admin.logs.ip"), ip ?? missingText],
    [t("admin.logs.device"), device ?? missingText],
    [t("admin.logs.id"), String(id)],
  ];
  return (
    <article className="grid gap-2 rounded-control border border-line p-3 sm:p-4">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-bold wrap-anywhere">{action}</span>
        <LogMoment at={at} />
      </h3>
      <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="text-quiet">{label}</dt>
            <dd className="min-w-0 font-semibold wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {data !== null && (
        <p className="text-sm">
          <span className="text-quiet">{t("admin.logs.data")}</span>{" "}
          <code className="font-mono text-xs wrap-anywhere">{data}</code>
        </p>
      )}
    </article>
  );
}

const logTableColumns = ["id", "userAndName", "room", "action", "ip", "time"] as const;

/** Entries as a table; on narrow screens each row is a card. */
export function LogTable({ logs }: { logs: LogShown[] }) {
  const t = useT();
  return (
    <table className="w-full text-sm max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line text-quiet">
          {logTableColumns.map((column) => (
            <th key={column} scope="col" className="px-2 py-2 text-left font-semibold">
              {t(`admin.logs.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:grid max-md:gap-3">
        {logs.map((log) => (
          <Row key={log.id} {...log} />
        ))}
      </tbody>
    </table>
  );
}

const logCellClasses = "min-w-0 align-top break-words tabular-nums md:px-2 md:py-2";

function Row({ id, userId, name, roomId, action, ip, at }: LogShown) {
  return (
    <tr
      data-row
      className="max-md:grid max-md:grid-cols-2 max-md:gap-x-3 max-md:gap-y-1 max-md:rounded-control max-md:border max-md:border-line max-md:p-3 md:border-b md:border-line"
    >
      <td className={`${logCellClasses} text-quiet max-md:order-6 max-md:text-right`}>{id}</td>
      <td className={`${logCellClasses} font-semibold wrap-anywhere max-md:order-3`}>
        <LogPerson userId={userId} name={name} />
      </td>
      <td className={`${logCellClasses} max-md:order-4 max-md:text-right`}>{roomId ?? missingText}</td>
      <td className={`${logCellClasses} font-bold max-md:order-1`}>{action}</td>
      <td className={`${logCellClasses} font-mono max-md:order-5`}>{ip ?? missingText}</td>
      <td className={`${logCellClasses} max-md:order-2 max-md:text-right lg:whitespace-nowrap`}>
        <LogMoment at={at} />
      </td>
    </tr>
  );
}

/** The person who did it, as a link to their page. */
function LogPerson({ userId, name }: { userId: number | null; name: string | null }) {
  const t = useT();
  if (userId === null) return t("admin.logs.nobody");
  return (
    <a href={paths.adminUser(userId)} className="text-brand underline underline-offset-4">
      {`${userId} ${name}`}
    </a>
  );
}

function LogMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="text-sm text-quiet tabular-nums">
      {formatLogMoment(at)}
    </time>
  );
}
