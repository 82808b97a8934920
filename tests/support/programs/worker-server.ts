// The server that the files of one test worker share (`shared-server.ts`). It ends when the worker's process has ended, and removes its files.
import { rmSync } from "node:fs";
import { isAlive } from "../../../db/embedded/processes.ts";

const { WORKER_PID, WORKER_RECORD = "", DATA_DIR = "" } = process.env;
setInterval(() => {
  if (!isAlive(Number(WORKER_PID))) process.kill(process.pid, "SIGTERM");
}, 1_000).unref();
process.on("exit", () => {
  for (const path of [WORKER_RECORD, DATA_DIR]) rmSync(path, { recursive: true, force: true });
});

await import("../../../app/server.ts");
