import { log } from "#db/log";
import { createDurationHistogram } from "#db/metrics";
import { requestIdOf } from "#modules/identity";

const requestStarts = new WeakMap<Request, number>();

const requestDurations = createDurationHistogram({
  name: "http_request_seconds",
  help: "Requests by route, method and class of status, until the answer was whole",
  labels: ["route", "method", "status"],
});

/** Methods that have a series of their own; whatever else somebody sends counts together. */
const countedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** They would be most of the lines and tell nothing; who is turned away has a line of their own (refused.ts). */
const quietRoutes = new Set(["file", "/healthz", "/readyz", "/metrics", "turned away"]);

/** A request has come. */
export function startRequestTimer(request: Request): void {
  requestStarts.set(request, performance.now());
}

/**
 * It is answered: it is counted and has its line in the log. Whoever tells of it a second time is not heard. `route` is a pattern of
 * ours, never a path as it came: a line says neither who asked, nor for what number, nor from where.
 */
export function logAnsweredRequest(request: Request, route: string, status: number): void {
  const from = requestStarts.get(request);
  if (from === undefined) return;
  requestStarts.delete(request);
  const method = countedMethods.has(request.method) ? request.method : "other";
  const ms = performance.now() - from;
  requestDurations.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
  const line = { requestId: requestIdOf(request), method, route, status, ms: Math.round(ms * 10) / 10 };
  log()[quietRoutes.has(route) ? "debug" : "info"](line, "request");
}
