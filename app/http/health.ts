import { sql } from "drizzle-orm";
import { Elysia } from "elysia";
import { z } from "zod";
import { call } from "#calls";
import { busState } from "#db/bus";
import { db } from "#db/client";
import { isLeaving } from "./leaving.ts";
import { closed, notReady } from "./maintenance.ts";

const alive = call({
  summary: "The process is alive",
  group: "Health",
  by: "anybody",
  answers: z.object({ status: z.literal("ok") }),
});
const ready = call({
  summary: "It can serve; 503 with the same words while it cannot",
  group: "Health",
  by: "anybody",
  answers: z.object({ status: z.string(), database: z.string(), bus: z.string() }),
});

/** `/healthz`: the process is alive. `/readyz`: it can serve (database and bus answer; migrations ran at start). */
export const health = new Elysia({ name: "health" })
  .get("/healthz", () => ({ status: "ok" }), { detail: alive })
  .get(
    "/readyz",
    async ({ set }) => {
      if (closed() || isLeaving()) {
        set.status = 503;
        return isLeaving() ? { status: "not ready", leaving: true } : notReady;
      }
      const bus = busState();
      const database = await db()
        .execute(sql`SELECT 1`)
        .then(
          () => "ok",
          () => "down",
        );
      // A bus that is down slows messages but loses none: still ready.
      if (database === "down") set.status = 503;
      return { status: database === "ok" ? "ready" : "not ready", database, bus };
    },
    { detail: ready },
  );
