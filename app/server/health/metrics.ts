import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { describeCall } from "#calls";
import { config, isTrial, publicUrl } from "#config";
import { metricsRegistry } from "#db/metrics";

const metricsOperation = describeCall<typeof answerMetrics>({
  summary:
    "Get this instance's metrics in Prometheus text format; requires `Authorization: Bearer <METRICS_TOKEN>`",
  group: "Health",
  by: "anybody",
  file: "text/plain",
  refuses: { NOT_FOUND: true },
});

/**
 * `/metrics`, for requests with METRICS_TOKEN; 404 for all others. Without a configured token it is served only in a trial, to requests
 * from the machine itself.
 */
export const metricsRoutes = new Elysia({ name: "metrics" }).get(
  "/metrics",
  async ({ request, server, set }) => {
    const answer = await answerMetrics(request, server?.requestIP(request)?.address);
    if (answer instanceof Response) set.headers["cache-control"] = "no-store";
    return answer;
  },
  { detail: metricsOperation },
);

async function answerMetrics(request: Request, peer: string | undefined) {
  const token = config().METRICS_TOKEN;
  const may = token === undefined ? isOwnMachine(request, peer) : hasBearerToken(request, token);
  if (!may) return { ok: false, code: "NOT_FOUND" } as const;
  return new Response(await metricsRegistry.metrics(), {
    headers: { "Content-Type": metricsRegistry.contentType },
  });
}

/** Compares in constant time; a token of the wrong length reveals only that. */
function hasBearerToken(request: Request, token: string): boolean {
  const [given, own] = [
    Buffer.from(request.headers.get("authorization") ?? ""),
    Buffer.from(`Bearer ${token}`),
  ];
  return given.length === own.length && timingSafeEqual(given, own);
}

const ownMachinePattern = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?|::ffff:127\.\d+\.\d+\.\d+)$/;
const forwardingHeaders = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-real-ip",
];

/**
 * A proxy on this machine also connects from this machine, and may not add forwarding headers. So without a token the metrics are refused
 * where real money moves, where a proxy is trusted, or where the public address is not this machine's.
 */
function isOwnMachine(request: Request, peer: string | undefined): boolean {
  if (!isTrial() || config().TRUST_PROXY || !ownMachinePattern.test(new URL(publicUrl()).hostname))
    return false;
  return ownMachinePattern.test(peer ?? "") && !forwardingHeaders.some((name) => request.headers.has(name));
}
