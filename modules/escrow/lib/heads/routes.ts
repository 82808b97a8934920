import { Elysia } from "elysia";
import { findSignedHead } from "./find-signed-head.ts";
import * as calls from "./operations.ts";

/** Route of the newest signed head of the audit log, for anyone. */
export const headRoutes = new Elysia({ name: "escrow.heads" }).get(
  "/api/audit/head",
  async () => {
    const answer = await findSignedHead();
    return answer.ok ? answer.head : answer;
  },
  { detail: calls.showSignedHead },
);
