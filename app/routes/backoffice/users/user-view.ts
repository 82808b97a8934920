import { currentTime } from "#db/clock";
import { daysAfter, formatDay } from "#format";
import { adminTradesOf, adminUser, countReportsOf } from "#modules/escrow";
import { activityLogs, type Member, restrictionsOf } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { parseQueryNumber } from "../../../server/pages/page-context.ts";
import { moneyStatusOf } from "../../../ui/trade/state/trade-state.ts";
import { logShown } from "../logs/shown-activity.ts";

/** Log entries shown at first and added by each "Load more", and trades per page. */
const entriesStep = 10;
const tradesOnPage = 25;
/** The most entries on one page; older ones begin a new page. */
const maxEntries = 500;
/** The longest restriction, and the default one. */
const longestRestriction = { days: 365 };
const usualRestriction = { days: 7 };

/** Reads what the page of a person shows to administrators, with the content of its tab; undefined if there is no such person. */
export async function userShown(admin: Member, id: number, query: URLSearchParams) {
  const found = await adminUser(admin, id);
  if (!found.ok) return undefined;
  const { user, counts, devices, passkeys, changes } = found;
  const tab = query.get("tab") === "transactions" ? ("transactions" as const) : ("activity" as const);
  const lastSeenAt = found.lastSeenAt;
  return {
    user: { ...user, passkeys, deleted: user.deletedAt !== null },
    changes,
    ...(await restrictionsShown(admin, id)),
    tab,
    activity: tab === "activity" ? await activityOf(admin, id, query) : null,
    stats: { ...counts, devices, lastSeenAt },
    transactions: tab === "transactions" ? await transactionsOf(admin, id, query) : null,
  };
}

/** The person's restrictions, and what the form for another one needs. */
async function restrictionsShown(admin: Member, id: number) {
  const found = await restrictionsOf(admin, id);
  if (!found.ok) throw new Error("admin: an administrator was refused the restrictions");
  const { restrictions, same } = found;
  const today = formatDay(currentTime());
  const days = {
    first: today,
    last: daysAfter(today, longestRestriction.days),
    usual: daysAfter(today, usualRestriction.days),
  };
  return {
    restrictions,
    same,
    reports: await countReportsOf(id),
    restricting: { latest: restrictions.find(({ inForce }) => inForce) ?? null, days },
  };
}

async function activityOf(admin: Member, id: number, query: URLSearchParams) {
  const before = parseQueryNumber(query.get("before"));
  const asked = Math.min(
    Math.max(parseQueryNumber(query.get("entries")) ?? entriesStep, entriesStep),
    maxEntries,
  );
  const read = await activityLogs(admin, { userId: id, limit: asked, before });
  if (!read.ok) throw new Error("admin: an administrator was refused the log");
  const { logs, next } = read;
  const more =
    asked < maxEntries ? { entries: asked + entriesStep, before } : { entries: entriesStep, before: next };
  const to = new URLSearchParams({
    entries: String(more.entries),
    ...(more.before && { before: String(more.before) }),
  });
  return {
    entries: logs.map((log) => logShown(log, admin.language)),
    more: next === null ? null : `${paths.adminUser(id)}?${to}#entry-${next}`,
  };
}

async function transactionsOf(admin: Member, id: number, query: URLSearchParams) {
  const before = parseQueryNumber(query.get("before"));
  const found = await adminTradesOf(admin, id, { limit: tradesOnPage + 1, before });
  const rows = found.ok ? found.transactions : [];
  const shown = rows.slice(0, tradesOnPage);
  return {
    rows: shown.map((row) => ({
      id: row.id,
      code: row.transactionCode,
      at: row.createdAt,
      amount: row.amount,
      role: row.role,
      status: row.status,
      money: moneyStatusOf(row),
    })),
    older: rows.length > tradesOnPage ? (shown.at(-1)?.id ?? null) : null,
    first: before === undefined,
  };
}
