import { log } from "#db/log";
import { actorOf } from "#modules/identity";
import { type Refusal, refusalBody, statusOf } from "./outcome.ts";

interface Failure {
  code: string | number;
  error: unknown;
  request: Request;
}

/**
 * What a failed request answers, in the API's shape. A path whose id is no number does not exist (404); a body that
 * does not parse is 400; one that breaks its schema is 422 with a message by field; anything else is ours: 500,
 * logged, and not told in detail.
 */
export async function answerError({ code, error, request }: Failure): Promise<Response> {
  const refusal = refusalOf(code, error);
  if (refusal.code === "SERVER_ERROR") {
    log().error({ err: error, path: new URL(request.url).pathname }, "request failed");
  }
  const language = await actorOf(request).then(
    (actor) => actor.language,
    () => "en" as const,
  );
  return Response.json(refusalBody(refusal, language), { status: statusOf(refusal.code) });
}

function refusalOf(code: string | number, error: unknown): Refusal {
  if (code === "NOT_FOUND") return { ok: false, code: "NOT_FOUND" };
  if (code === "PARSE") return { ok: false, code: "BAD_REQUEST" };
  if (code !== "VALIDATION" && code !== "INVALID_COOKIE_SIGNATURE")
    return { ok: false, code: "SERVER_ERROR" };
  const failed = error as { type?: string; all?: Array<{ path?: string; message?: string }> };
  if (failed.type === "params") return { ok: false, code: "NOT_FOUND" };
  return { ok: false, code: "VALIDATION", fields: byField(failed.all ?? []) };
}

function byField(issues: Array<{ path?: string; message?: string }>): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const name = path === undefined || path === "" || path === "root" ? "body" : path;
    fields[name] = [...(fields[name] ?? []), message ?? ""];
  }
  return fields;
}
