import { now } from "#db/clock";
import { sandboxServes } from "../qpay/provider-access.ts";
import { refuseCall, type Wire } from "./http-answers.ts";
import { type Act, countCall, type Operation, takeAct } from "./scripted-behaviour.ts";
import { unauthorised } from "./tokens.ts";

/** Where no sandbox serves, its paths do not exist. */
export function absent(): Response {
  return Response.json({ message: "Not found", code: "NOT_FOUND" }, { status: 404 });
}

/**
 * Plays one call of the provider: counts it, takes what it was told for it, lets `work` answer unless it was told to fail
 * first, and then mistreats the reply as told. `open` calls need no bearer token.
 */
export async function play(
  operation: Operation,
  { request, open = false }: { request: Request; open?: boolean },
  work: (at: Date, act: Act) => Promise<Wire>,
): Promise<Response> {
  if (!sandboxServes()) return absent();
  const at = now();
  await countCall(operation);
  const act = await takeAct(operation);
  if (act.fail !== undefined) {
    const status = act.fail === true ? 500 : act.fail;
    return reply(refuseCall(act.error ?? (status === 401 ? "AUTHENTICATION_FAILED" : "SYSTEM_BUSY"), status));
  }
  const wire = (open ? undefined : await unauthorised(request, at)) ?? (await work(at, act));
  if (act.delayMs !== undefined) await Bun.sleep(act.delayMs);
  if (act.loseReply) return html("<h1>504 Gateway Time-out</h1>", 504);
  return mistreated(wire, act) ?? reply(wire);
}

function reply({ status, body }: Wire): Response {
  return Response.json(body, { status });
}

function mistreated({ status, body }: Wire, { garbage }: Act): Response | undefined {
  const text = JSON.stringify(body);
  if (garbage === "html") return html("<!doctype html><title>Maintenance</title>", 200);
  if (garbage === "cut") return json(text.slice(0, Math.ceil(text.length / 2)), status);
  if (garbage === "shape") return json(JSON.stringify({ data: [body] }), status);
  if (garbage === "bare")
    return json(JSON.stringify(Object.fromEntries(Object.entries(body ?? {}).slice(0, 1))), status);
  return garbage === "empty" ? json("", status) : undefined;
}

function json(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "application/json" } });
}

function html(text: string, status: number): Response {
  return new Response(text, { status, headers: { "Content-Type": "text/html" } });
}
