import { now } from "#db/clock";
import { sandboxServes } from "../qpay/access.ts";
import { behave, behaveInput, standing } from "./behave.ts";
import { payInput, sandboxPay } from "./pay.ts";
import { absent } from "./play.ts";
import { readBody } from "./wire.ts";

/** `POST /sandbox/qpay/pay/{id}`: JSON from programs; from the page's form, then back to the page. */
export async function payByHand(id: string, request: Request): Promise<Response> {
  if (!sandboxServes()) return absent();
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers.get("content-type") ?? "");
  const read = await readBody(isForm ? await asJson(request) : request, payInput);
  if (!read.ok) return isForm ? back(id, "invalid") : Response.json(read.wire.body, { status: 400 });
  const paid = await sandboxPay(id, read.body, now());
  if (isForm) return back(id, paid.ok ? "paid" : paid.code.toLowerCase());
  if (paid.ok) return Response.json(paid);
  const status = paid.code === "INVOICE_NOTFOUND" ? 422 : 400;
  return Response.json({ error: paid.code, message: paid.code }, { status });
}

/** `POST /sandbox/qpay/behave`; without a body, and by GET, it only tells how things stand. */
export async function behaveAsTold(request: Request): Promise<Response> {
  if (!sandboxServes()) return absent();
  if (request.method === "GET") return Response.json(await standing());
  const read = await readBody(request, behaveInput);
  return read.ok ? Response.json(await behave(read.body)) : Response.json(read.wire.body, { status: 400 });
}

/** A form says everything in text and leaves out what was not ticked: fields left empty are not given. */
async function asJson(request: Request): Promise<Request> {
  const form = new URLSearchParams(await request.text());
  const told: Record<string, unknown> = {};
  for (const name of ["amount", "status", "currency", "kind"]) {
    const value = form.get(name)?.trim();
    if (value) told[name] = value;
  }
  const callback = form.get("callback");
  if (callback !== null) told.callback = /^\d+$/.test(callback) ? Number(callback) : callback !== "false";
  return new Request(request.url, { method: "POST", body: JSON.stringify(told) });
}

function back(id: string, result: string): Response {
  const location = `/sandbox/qpay/pay/${encodeURIComponent(id)}?result=${result}`;
  return new Response(null, { status: 303, headers: { Location: location } });
}
