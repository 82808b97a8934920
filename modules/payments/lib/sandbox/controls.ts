import { now } from "#db/clock";
import { sandboxServes } from "../qpay/provider-access.ts";
import { readBody, refuseCall } from "./http-answers.ts";
import { payInput, sandboxPay } from "./pay.ts";
import { absent } from "./play-behaviour.ts";
import { behave, behaveInput, readSandboxState } from "./scripted-behaviour.ts";

/** `POST /sandbox/qpay/pay/{id}`, for programs; people press a page of the app. */
export async function payByHand(id: string, request: Request): Promise<Response> {
  if (!sandboxServes()) return absent();
  const read = await readBody(request, payInput);
  if (!read.ok) return Response.json(read.wire.body, { status: read.wire.status });
  const paid = await sandboxPay(id, read.body, now());
  if (paid.ok) return Response.json(paid);
  const { status, body } = refuseCall(paid.code, paid.code === "INVOICE_NOTFOUND" ? 422 : 400);
  return Response.json(body, { status });
}

/** `POST /sandbox/qpay/behave`; without a body, and by GET, it only tells how things stand. */
export async function behaveAsTold(request: Request): Promise<Response> {
  if (!sandboxServes()) return absent();
  if (request.method === "GET") return Response.json(await readSandboxState());
  const read = await readBody(request, behaveInput);
  return read.ok ? Response.json(await behave(read.body)) : Response.json(read.wire.body, { status: 400 });
}
