import { sql } from "drizzle-orm";
import { Elysia } from "elysia";
import { z } from "zod";
import { describeCall, type Unrefused } from "#calls";
import { busState } from "#db/bus";
import { db } from "#db/client";
import { registerScrapedGauge } from "#db/metrics";
import { measureVersion, releaseVersion } from "../files/release-version.ts";
import { isDraining } from "../listener/connection-draining.ts";
import { isUnderMaintenance, maintenanceReadiness } from "../listener/maintenance.ts";

const livenessOperation = describeCall<Unrefused>({
  summary: "Check that the process is running",
  group: "Health",
  by: "anybody",
  answers: z.object({ status: z.literal("ok") }),
});
const readinessOperation = describeCall<Unrefused>({
  summary: "Check that the instance can serve requests; returns 503 with the same body if it can't",
  group: "Health",
  by: "anybody",
  answers: z.object({ status: z.string(), database: z.string(), bus: z.string() }),
});
const versionOperation = describeCall<Unrefused>({
  summary: "Get the running version, and its commit if known",
  group: "Health",
  by: "anybody",
  answers: z.object({ version: z.string(), commit: z.string().optional() }),
});

async function checkReadiness() {
  if (isDraining()) return { status: "not ready", leaving: true };
  if (isUnderMaintenance()) return maintenanceReadiness;
  const bus = busState();
  const database = await db()
    .execute(sql`SELECT 1`)
    .then(
      () => "ok",
      () => "down",
    );
  // An unavailable bus delays messages but loses none: the instance is still ready.
  return { status: database === "ok" ? "ready" : "not ready", database, bus };
}

measureVersion();
// A database that does not respond in time counts as unavailable.
registerScrapedGauge({ name: "ready", help: "1 while /readyz reports ready", keepSeconds: 0 }, async () => {
  const found = await Promise.race([checkReadiness(), Bun.sleep(2_000).then(() => undefined)]);
  return [{ value: found?.status === "ready" ? 1 : 0 }];
});

/** `/healthz`: the process is alive. `/readyz`: it can serve (the database responds; migrations ran at start). `/version`: what runs. */
export const healthRoutes = new Elysia({ name: "health" })
  .get("/healthz", () => ({ status: "ok" }), { detail: livenessOperation })
  .get("/version", () => releaseVersion(), { detail: versionOperation })
  .get(
    "/readyz",
    async ({ set }) => {
      const found = await checkReadiness();
      if (found.status !== "ready") set.status = 503;
      return found;
    },
    { detail: readinessOperation },
  );
