// A worker that takes a job and never finishes it, to be killed meanwhile.
import { connectDatabase, runInTransaction } from "../client.ts";
import { defineJob, startJobs } from "../jobs.ts";

const url = process.argv[2] ?? "";
const stuck = defineJob("test.stuck", async () => {
  console.info("begun");
  await Bun.sleep(3_600_000);
});
connectDatabase(url);
await startJobs(url, { pollingSeconds: 0.5 });
await runInTransaction((tx) => stuck.enqueue(tx, {}));
