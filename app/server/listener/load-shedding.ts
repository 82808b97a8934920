import { type Rank, runSheddable } from "#db/client/transaction-turns";

/** What is never refused: how Midman is, and the provider's word that money may have come. */
const neverShedPattern = /^\/(healthz|readyz|metrics)$|^\/api\/qpay\/callback\/|^\/sandbox\/qpay\//;
/** The calls and pages of trades and of the back office; in a room's page stand the forms of its trade. */
const moneyPattern = /^\/api\/(transactions|qpay|admin)(\/|$)|^\/(transactions|admin)(\/|$)|^\/chat\/\d+$/;

/** How a request stands in the queue for a transaction; undefined where it is never refused. */
export function rankOf(request: Request): Rank | undefined {
  const { pathname } = new URL(request.url, "http://localhost");
  if (neverShedPattern.test(pathname)) return undefined;
  return moneyPattern.test(pathname) ? "money" : "others";
}

/** Has a request refused, before anything was done for it, where its first transaction gets no connection in time. */
export function withLoadShedding<Next extends (request: Request) => unknown>(
  next: Next,
  request: Request,
): Next {
  const rank = rankOf(request);
  if (rank === undefined) return next;
  return ((...given: unknown[]) =>
    runSheddable(rank, () => Reflect.apply(next, undefined, given))) as unknown as Next;
}
