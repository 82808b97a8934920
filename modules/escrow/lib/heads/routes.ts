import { Elysia } from "elysia";
import { signedHead } from "#modules/audit";
import * as calls from "./operations.ts";

/** The newest head of the log for anybody who wants to keep it. */
export const headRoutes = new Elysia({ name: "escrow.heads" }).get(
  "/api/audit/head",
  async () => (await signedHead()) ?? ({ ok: false, code: "NOT_FOUND" } as const),
  { detail: calls.showSignedHead },
);
