import { timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { call } from "#calls";
import { config, isTrial, publicUrl } from "#config";
import { registry } from "#db/metrics";

const metrics = call({
  summary:
    "What may be watched of this instance, in Prometheus' text form; by `Authorization: Bearer <METRICS_TOKEN>`",
  group: "Health",
  by: "anybody",
  file: "text/plain",
  refuses: ["NOT_FOUND"],
});

/** `/metrics`, for whoever bears METRICS_TOKEN. To others it is not there; where none is set it is in a trial, on the machine itself. */
export const metricsHttp = new Elysia({ name: "metrics" }).get(
  "/metrics",
  async ({ request, server, set }) => {
    const token = config().METRICS_TOKEN;
    const may =
      token === undefined
        ? isOwnMachine(request, server?.requestIP(request)?.address)
        : bears(request, token);
    if (!may) return { ok: false, code: "NOT_FOUND" };
    set.headers["cache-control"] = "no-store";
    return new Response(await registry.metrics(), { headers: { "Content-Type": registry.contentType } });
  },
  { detail: metrics },
);

/** Compared in a time that tells nothing of where the two differ; of a token that is too long or too short only that. */
function bears(request: Request, token: string): boolean {
  const [given, own] = [
    Buffer.from(request.headers.get("authorization") ?? ""),
    Buffer.from(`Bearer ${token}`),
  ];
  return given.length === own.length && timingSafeEqual(given, own);
}

const own = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?|::ffff:127\.\d+\.\d+\.\d+)$/;
const forwarded = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-real-ip",
];

/**
 * A proxy on this machine comes from this machine too, and need not say that it is one. So without a token nothing is told where real
 * money moves, where a proxy is trusted or people come by another name than this machine's.
 */
function isOwnMachine(request: Request, peer: string | undefined): boolean {
  if (!isTrial() || config().TRUST_PROXY || !own.test(new URL(publicUrl()).hostname)) return false;
  return own.test(peer ?? "") && !forwarded.some((name) => request.headers.has(name));
}
