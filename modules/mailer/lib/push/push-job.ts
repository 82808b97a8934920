import { lt } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, type Job } from "#db/jobs";
import { deliverPush } from "./deliver-push.ts";
import { pushesTable } from "./schema.ts";

/** Delivers one row of the outbox; while a service is not ready the job is enqueued again for the time that the service names. */
export const pushDeliveries: Job<{ id: number }> = defineJob(
  "mailer.push",
  z.object({ id: z.int() }),
  ({ id }) => deliverPush(id, (tx, startAfter) => pushDeliveries.enqueue(tx, { id }, { startAfter })),
);

const keptDays = 30;

// An ended row is kept only so that its key is not sent again.
defineJob(
  "mailer.pushes-swept",
  async () => {
    const old = new Date(currentTime().getTime() - keptDays * 24 * 3_600_000);
    await db().delete(pushesTable).where(lt(pushesTable.endedAt, old));
  },
  { cron: "23 20 * * *" },
);
