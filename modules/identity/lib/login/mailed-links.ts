import { and, eq, gt } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { linkLifetimes } from "../core/lifetimes.ts";
import { tokensTable } from "../core/schema.ts";
import { hashToken, newToken } from "../request/tokens.ts";

export type LinkKind = keyof typeof linkLifetimes;

const linkPages: Record<LinkKind, string> = {
  password_reset: "/reset-password",
  email_verification: "/verify-email",
};

/** Creates a link (returns its path) that works once, until it expires, and voids the user's earlier links of its kind. */
export async function makeLink(
  tx: Tx,
  kind: LinkKind,
  user: { id: number; email: string },
  now: Date,
): Promise<string> {
  await voidLinks(tx, kind, user.id);
  const token = newToken();
  await tx.insert(tokensTable).values({
    tokenHash: hashToken(token),
    kind,
    userId: user.id,
    email: user.email,
    createdAt: now,
    expiresAt: new Date(now.getTime() + linkLifetimes[kind]),
  });
  return `${linkPages[kind]}?token=${token}`;
}

/** The row of a link that still works; `redeemLink` uses it up. */
export async function readLink(exec: Executor, kind: LinkKind, token: string, now: Date) {
  const [row] = await exec
    .select()
    .from(tokensTable)
    .where(workingLinkCondition(kind, token, now));
  return row;
}

/** Uses the link up: of several concurrent calls, one gets it. */
export async function redeemLink(tx: Tx, kind: LinkKind, token: string, now: Date) {
  const [row] = await tx
    .delete(tokensTable)
    .where(workingLinkCondition(kind, token, now))
    .returning();
  return row;
}

/** Voids a user's links, of one kind or all. */
export async function voidLinks(tx: Tx, kind: LinkKind | undefined, userId: number): Promise<void> {
  await tx.delete(tokensTable).where(and(eq(tokensTable.userId, userId), kind && eq(tokensTable.kind, kind)));
}

function workingLinkCondition(kind: LinkKind, token: string, now: Date) {
  return and(
    eq(tokensTable.tokenHash, hashToken(token)),
    eq(tokensTable.kind, kind),
    gt(tokensTable.expiresAt, now),
  );
}
