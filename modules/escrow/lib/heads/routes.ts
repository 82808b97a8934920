import { Elysia } from "elysia";
import { signedHead } from "#modules/audit";
import * as calls from "./operations.ts";

/** Route of the newest signed head of the audit log, for anyone. */
export const headRoutes = new Elysia({ name: "escrow.heads" }).get(
  "/api/audit/head",
  async () => (await signedHead()) ?? ({ ok: false, code: "NOT_FOUND" } as const),
  { detail: calls.showSignedHead },
);
