import { currentTime } from "#db/clock";
import { isSandboxServing } from "../qpay/provider-access.ts";
import { refuseCall, type WireReply } from "./http-replies.ts";
import { type Act, countCall, type Operation, takeAct } from "./scripted-behavior.ts";
import { refuseUnauthorized } from "./tokens.ts";

/** The response where no sandbox serves: its paths do not exist. */
export function respondNotFound(): Response {
  return Response.json({ message: "Not found", code: "NOT_FOUND" }, { status: 404 });
}

/**
 * Plays one call of the provider: counts it, takes the scripted act for it, answers by `work` unless the act makes it fail first, and then
 * distorts the reply as scripted. `open` calls need no bearer token.
 */
export async function playProviderCall(
  operation: Operation,
  { request, open = false }: { request: Request; open?: boolean },
  work: (at: Date, act: Act) => Promise<WireReply>,
): Promise<Response> {
  if (!isSandboxServing()) return respondNotFound();
  const at = currentTime();
  await countCall(operation);
  const act = await takeAct(operation);
  if (act.fail !== undefined) {
    const status = act.fail === true ? 500 : act.fail;
    return toResponse(
      refuseCall(act.error ?? (status === 401 ? "AUTHENTICATION_FAILED" : "SYSTEM_BUSY"), status),
    );
  }
  const wire = (open ? undefined : await refuseUnauthorized(request, at)) ?? (await work(at, act));
  if (act.delayMs !== undefined) await Bun.sleep(act.delayMs);
  if (act.loseReply) return htmlResponse("<h1>504 Gateway Time-out</h1>", 504);
  return mistreatReply(wire, act) ?? toResponse(wire);
}

function toResponse({ status, body }: WireReply): Response {
  return Response.json(body, { status });
}

function mistreatReply({ status, body }: WireReply, { garbage }: Act): Response | undefined {
  const text = JSON.stringify(body);
  if (garbage === "html") return htmlResponse("<!doctype html><title>Maintenance</title>", 200);
  if (garbage === "cut") return jsonResponse(text.slice(0, Math.ceil(text.length / 2)), status);
  if (garbage === "shape") return jsonResponse(JSON.stringify({ data: [body] }), status);
  if (garbage === "bare")
    return jsonResponse(JSON.stringify(Object.fromEntries(Object.entries(body ?? {}).slice(0, 1))), status);
  return garbage === "empty" ? jsonResponse("", status) : undefined;
}

function jsonResponse(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "application/json" } });
}

function htmlResponse(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/html" } });
}
