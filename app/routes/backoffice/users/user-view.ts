import { currentTime } from "#db/clock";
import { daysAfter, formatDay } from "#format";
import { adminTradesOf, adminUser, countReportsOf } from "#modules/escrow";
import { activityLogs, type Member, restrictionsOf } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { parseQueryNumber } from "../../../server/pages/page-context.ts";
import { logShown } from "../logs/shown-activity.ts";

/** Entries of the log shown at first and with each "Load more" (specification §9), and trades on one page. */
const entriesStep = 10;
const tradesOnPage = 25;
/** As many entries as one page grows to; what is older begins a new one. */
const maxEntries = 500;
/** How long a restriction may last, and does where nobody chooses otherwise. */
const longestRestriction = { days: 365 };
const usualRestriction = { days: 7 };

/** A person as an administrator's page shows them, with what its tab is about; undefined for nobody. */
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

/** What administrators decided about the person, and what the form for another such decision needs. */
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
      money: row.standing.money,
    })),
    older: rows.length > tradesOnPage ? (shown.at(-1)?.id ?? null) : null,
    first: before === undefined,
  };
}
