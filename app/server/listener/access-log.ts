import { log } from "#db/log";
import { createDurationHistogram } from "#db/metrics";
import { requestIdOf } from "#modules/identity";

const requestStarts = new WeakMap<Request, number>();

const requestDurations = createDurationHistogram({
  name: "http_request_seconds",
  help: "Duration of requests until the response was complete, by route, method and status class",
  labels: ["route", "method", "status"],
});

/** Methods with a time series of their own; all others are counted together. */
const countedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Routes logged at debug level only: they would be most of the lines and say nothing. Refusals at the gate have their own line
 * (refusal-log.ts).
 */
const quietRoutes = new Set(["file", "/healthz", "/readyz", "/metrics", "turned away"]);

/** Notes when a request arrived. */
export function startRequestTimer(request: Request): void {
  requestStarts.set(request, performance.now());
}

/**
 * Counts an answered request and writes its line to the log. Later calls for the same request are ignored. `route` is a route pattern,
 * never the actual path, so a line does not say who asked, for which id or from where.
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
