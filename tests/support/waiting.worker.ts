import { parentPort } from "node:worker_threads";

const say = (ms: number) => parentPort?.postMessage(ms);

let over = false;

async function ask(url: string): Promise<number> {
  const from = performance.now();
  await fetch(`${url}/healthz`).then((reply) => reply.text());
  return performance.now() - from;
}

async function askOnAndOn(url: string): Promise<void> {
  // The first one opens the connection.
  await ask(url);
  say(0);
  let longest = 0;
  while (!over) {
    longest = Math.max(longest, await ask(url));
    await Bun.sleep(3);
  }
  say(Math.round(longest));
}

parentPort?.on("message", (said: string) => {
  if (said === "stop") over = true;
  else askOnAndOn(said);
});
