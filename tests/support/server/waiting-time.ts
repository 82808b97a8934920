import { Worker } from "node:worker_threads";

/** Somebody who asks a server again and again how it is, in a thread of their own: what keeps this one busy is not their waiting. */
export async function startWaiting(url: string) {
  const worker = new Worker(new URL("./waiting-time.worker.ts", import.meta.url));
  const heard = () => new Promise<number>((resolve) => worker.once("message", resolve));
  const began = heard();
  worker.postMessage(url);
  await began;
  return {
    /** Ends it; answers for how many milliseconds they waited at the longest. */
    async stop(): Promise<number> {
      const longest = heard();
      worker.postMessage("stop");
      const ms = await longest;
      await worker.terminate();
      return ms;
    },
  };
}

/** Does something while somebody else asks a server how it is; answers what came of it and the longest that they waited, in milliseconds. */
export async function whileOthersWait<T>(url: string, work: () => Promise<T>) {
  const other = await startWaiting(url);
  const done = await work().catch(async (error) => {
    await other.stop();
    throw error;
  });
  return { done, longestMs: await other.stop() };
}
