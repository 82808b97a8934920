import { durations } from "#db/metrics";

const begun = new WeakMap<Request, number>();

const requests = durations({
  name: "http_request_seconds",
  help: "Requests by route, method and class of status, until the answer was whole",
  labels: ["route", "method", "status"],
});

/** Methods that have a series of their own; whatever else somebody sends counts together. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A request has come. */
export function began(request: Request): void {
  begun.set(request, performance.now());
}

/** It is answered; whoever tells of it a second time is not heard. `route` is a pattern of ours, never a path as it came. */
export function answered(request: Request, route: string, status: number): void {
  const from = begun.get(request);
  if (from === undefined) return;
  begun.delete(request);
  const method = methods.has(request.method) ? request.method : "other";
  requests.observe(
    { route, method, status: `${Math.floor(status / 100)}xx` },
    (performance.now() - from) / 1_000,
  );
}
