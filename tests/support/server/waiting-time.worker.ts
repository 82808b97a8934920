import { parentPort } from "node:worker_threads";

const sendDuration = (ms: number) => parentPort?.postMessage(ms);

let isStopped = false;

async function timeRequest(url: string): Promise<number> {
  const from = performance.now();
  await fetch(`${url}/healthz`).then((reply) => reply.text());
  return performance.now() - from;
}

async function askOnAndOn(url: string): Promise<void> {
  // The first one opens the connection.
  await timeRequest(url);
  sendDuration(0);
  let longest = 0;
  while (!isStopped) {
    longest = Math.max(longest, await timeRequest(url));
    await Bun.sleep(3);
  }
  sendDuration(Math.round(longest));
}

parentPort?.on("message", (said: string) => {
  if (said === "stop") isStopped = true;
  else askOnAndOn(said);
});
