import { type Rank, runSheddable } from "#db/client/transaction-turns";

/** Never refused: health checks, and the provider's callback that money may have arrived. */
const neverShedPattern = /^\/(healthz|readyz|metrics)$|^\/api\/qpay\/callback\/|^\/sandbox\/qpay\//;
/** API calls and pages of trades and of the back office; a room's page contains the forms of its trade. */
const moneyPattern =
  /^\/api\/(transactions|qpay|admin)(\/|$)|^\/(transactions|admin)(\/|$)|^\/chat\/\d+(\/trade)?$/;

/** A request's rank in the queue for a transaction; undefined if it is never refused. */
export function rankOf(request: Request): Rank | undefined {
  const { pathname } = new URL(request.url, "http://localhost");
  if (neverShedPattern.test(pathname)) return undefined;
  return moneyPattern.test(pathname) ? "money" : "others";
}

/** Refuses a request, before any of its work is done, if its first transaction gets no connection in time. */
export function withLoadShedding<Next extends (request: Request) => unknown>(
  next: Next,
  request: Request,
): Next {
  const rank = rankOf(request);
  if (rank === undefined) return next;
  return ((...given: unknown[]) =>
    runSheddable(rank, () => Reflect.apply(next, undefined, given))) as unknown as Next;
}
