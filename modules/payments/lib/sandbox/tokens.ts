import { and, eq, gt, lt } from "drizzle-orm";
import { db } from "#db/client";
import { sandboxMerchant } from "../qpay/provider-access.ts";
import { answerCall, refuseCall, type WireReply } from "./http-replies.ts";
import { sandboxTokensTable } from "./schema.ts";
import { readManners } from "./scripted-behavior.ts";

/** `POST /auth/token`: HTTP Basic, with any body. */
export async function issueToken(request: Request, at: Date): Promise<WireReply> {
  const basic = /^Basic (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic === undefined) return refuseCall("NO_CREDENTIALS", 401);
  const expected = `${sandboxMerchant.username}:${sandboxMerchant.password}`;
  if (Buffer.from(basic, "base64").toString() !== expected) return refuseCall("AUTHENTICATION_FAILED", 401);
  return answerCall(await newTokens(at));
}

/** `POST /auth/refresh`: the refresh token as Bearer, once. */
export async function refreshToken(request: Request, at: Date): Promise<WireReply> {
  const token = readBearerToken(request);
  if (token === undefined) return refuseCall("NO_CREDENTIALS", 401);
  const used = await db()
    .delete(sandboxTokensTable)
    .where(
      and(
        eq(sandboxTokensTable.token, token),
        eq(sandboxTokensTable.kind, "refresh"),
        gt(sandboxTokensTable.expiresAt, at),
      ),
    )
    .returning();
  return used.length === 0 ? refuseCall("AUTHENTICATION_FAILED", 401) : answerCall(await newTokens(at));
}

/** Undefined if the caller has a valid access token, otherwise the refusal. */
export async function refuseUnauthorized(request: Request, at: Date): Promise<WireReply | undefined> {
  const token = readBearerToken(request);
  if (token === undefined) return refuseCall("NO_CREDENTIALS", 401);
  const [known] = await db()
    .select()
    .from(sandboxTokensTable)
    .where(
      and(
        eq(sandboxTokensTable.token, token),
        eq(sandboxTokensTable.kind, "access"),
        gt(sandboxTokensTable.expiresAt, at),
      ),
    );
  return known === undefined ? refuseCall("AUTHENTICATION_FAILED", 401) : undefined;
}

function readBearerToken(request: Request): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

async function newTokens(at: Date) {
  const { tokenSeconds } = await readManners();
  const token = () => crypto.getRandomValues(new Uint8Array(32)).toHex();
  const expiresAt = new Date(at.getTime() + tokenSeconds * 1000);
  const [access, refresh] = [token(), token()];
  await db().delete(sandboxTokensTable).where(lt(sandboxTokensTable.expiresAt, at));
  await db()
    .insert(sandboxTokensTable)
    .values([
      { token: access, kind: "access", expiresAt },
      { token: refresh, kind: "refresh", expiresAt: new Date(expiresAt.getTime() + 86_400_000) },
    ]);
  const seconds = Math.floor(expiresAt.getTime() / 1000);
  return {
    token_type: "bearer",
    refresh_expires_in: seconds + 86_400,
    refresh_token: refresh,
    access_token: access,
    expires_in: seconds,
    scope: "profile email",
    "not-before-policy": "0",
    session_state: crypto.randomUUID(),
  };
}
