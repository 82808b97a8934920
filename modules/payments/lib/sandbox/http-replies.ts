import type { z } from "zod";
import { parseJson } from "#db/input-limits";

/** A reply of the sandbox, before it becomes an HTTP response. */
export type WireReply = { status: number; body: unknown };

const errorMessages: Record<string, string> = {
  AUTHENTICATION_FAILED: "Нэвтрэх нэр эсвэл нууц үг буруу байна",
  NO_CREDENTIALS: "Нэвтрэх мэдээлэл алга",
  INVOICE_NOTFOUND: "Нэхэмжлэх олдсонгүй",
  PAYMENT_NOTFOUND: "Төлбөр олдсонгүй",
  INVOICE_PAID: "Нэхэмжлэх төлөгдсөн байна",
  INVOICE_ALREADY_CANCELED: "Нэхэмжлэх цуцлагдсан байна",
  PAYMENT_SETTLED: "Төлбөр тооцоо хийгдсэн байна",
};

/** A successful reply with this JSON body. */
export function answerCall(body: unknown): WireReply {
  return { status: 200, body };
}

/** An error in the provider's shape; its message is in Mongolian where one is known, otherwise the code. */
export function refuseCall(code: string, status = 400): WireReply {
  return { status, body: { error: code, message: errorMessages[code] ?? code } };
}

/** Reads a JSON body with any content type; an empty one is `{}`. Field errors are returned as an object with one key a field. */
export async function readBody<T extends z.ZodType>(
  request: Request,
  schema: T,
): Promise<{ ok: true; body: z.output<T> } | { ok: false; wire: WireReply }> {
  const text = await request.text();
  let json: unknown;
  try {
    json = text.trim() === "" ? {} : parseJson(text);
    // Postgres does not store null characters, so the sandbox refuses them itself.
    if (/\0|\\u0000/.test(text)) throw new Error("null character");
  } catch {
    return { ok: false, wire: refuseCall("INVALID_JSON") };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, body: parsed.data };
  const error: Record<string, string[]> = {};
  for (const issue of parsed.error.issues) {
    const name = issue.path.join(".") || "body";
    error[name] = [...(error[name] ?? []), issue.message];
  }
  return { ok: false, wire: { status: 400, body: { error, message: "VALIDATION_ERROR" } } };
}
