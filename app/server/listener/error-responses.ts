import { isUnavailable } from "#db/client/connection-errors";
import { findOverload } from "#db/client/transaction-turns";
import { log } from "#db/log";
import { RecordAltered } from "#modules/audit";
import { requestIdOf } from "#modules/identity";
import { compressResponse } from "../files/compress.ts";
import type { Assets } from "../pages/built-assets.ts";
import type { VerbRefusal } from "../pages/refusal-responses.ts";
import { logRefusedRequest, redactPathForLog } from "./refusal-log.ts";
import { refuseRequest } from "./standalone-pages.tsx";

interface RequestFailure {
  code: string | number;
  error: unknown;
  request: Request;
  server: { requestIP(request: Request): { address: string } | null } | null;
}

/**
 * The response to a failed request: a page for a browser, otherwise the API's shape. A path whose id is not a number is 404; a body that
 * does not parse is 400; one that breaks its schema is 422 with a message per field; an unavailable database or an exhausted pool is 503;
 * anything else is a bug: 500, logged, without details.
 */
export async function answerError(
  { code, error, request, server }: RequestFailure,
  assets: Assets,
): Promise<Response> {
  const socket = server?.requestIP(request)?.address;
  const refusal = refusalOf(code, error);
  if (refusal.code === "SERVER_ERROR" || refusal.code === "UNAVAILABLE") {
    const requestId = requestIdOf(request);
    log().error({ err: error, path: redactPathForLog(request), requestId }, "request failed");
  } else await logRefusedRequest(request, refusal.code, socket);
  return compressResponse(request, refuseRequest(request, assets, refusal));
}

function refusalOf(code: string | number, error: unknown): VerbRefusal {
  if (code === "NOT_FOUND") return { ok: false, code: "NOT_FOUND" };
  if (code === "PARSE") return { ok: false, code: "BAD_REQUEST" };
  if (isUnavailable(error)) return refusalForOutage(error);
  if (error instanceof RecordAltered) return { ok: false, code: "RECORD_ALTERED" };
  if (code !== "VALIDATION" && code !== "INVALID_COOKIE_SIGNATURE")
    return { ok: false, code: "SERVER_ERROR" };
  const failed = error as { type?: string; all?: Array<{ path?: string; message?: string }> };
  if (failed.type === "params") return { ok: false, code: "NOT_FOUND" };
  return { ok: false, code: "VALIDATION", fields: groupIssuesByField(failed.all ?? []) };
}

/** The refusal for a temporary outage: OVERLOADED if the pool is exhausted, UNAVAILABLE if the database cannot be reached. */
export function refusalForOutage(error: unknown): VerbRefusal {
  const overload = findOverload(error);
  if (overload === undefined) return { ok: false, code: "UNAVAILABLE" };
  return { ok: false, code: "OVERLOADED", retryAfterSeconds: overload.retryAfterSeconds };
}

function groupIssuesByField(issues: Array<{ path?: string; message?: string }>): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const name = path === undefined || path === "" || path === "root" ? "body" : path;
    fields[name] = [...(fields[name] ?? []), message ?? ""];
  }
  return fields;
}
