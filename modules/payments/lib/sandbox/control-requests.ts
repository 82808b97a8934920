import { currentTime } from "#db/clock";
import { isSandboxServing } from "../qpay/provider-access.ts";
import { readBody, refuseCall } from "./http-replies.ts";
import { payInput, paySandboxInvoice } from "./pay-invoice.ts";
import { respondNotFound } from "./play-provider-call.ts";
import { behaviorInput, readSandboxState, scriptBehavior } from "./scripted-behavior.ts";

/** `POST /sandbox/qpay/pay/{id}`, for programs; users press a button on a page of the app. */
export async function handlePayRequest(id: string, request: Request): Promise<Response> {
  if (!isSandboxServing()) return respondNotFound();
  const read = await readBody(request, payInput);
  if (!read.ok) return Response.json(read.wire.body, { status: read.wire.status });
  const paid = await paySandboxInvoice(id, read.body, currentTime());
  if (paid.ok) return Response.json(paid);
  const { status, body } = refuseCall(paid.code, paid.code === "INVOICE_NOTFOUND" ? 422 : 400);
  return Response.json(body, { status });
}

/** `POST /sandbox/qpay/behave`; without a body, and by GET, it only returns the sandbox's state. */
export async function handleBehaviorRequest(request: Request): Promise<Response> {
  if (!isSandboxServing()) return respondNotFound();
  if (request.method === "GET") return Response.json(await readSandboxState());
  const read = await readBody(request, behaviorInput);
  return read.ok
    ? Response.json(await scriptBehavior(read.body))
    : Response.json(read.wire.body, { status: 400 });
}
