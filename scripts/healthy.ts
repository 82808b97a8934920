// The image's health check: exits with 0 while this machine's server answers that it is alive.
const serverPort = Bun.env.PORT ?? "3000";

process.exit((await isAlive()) ? 0 : 1);

function isAlive(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${serverPort}/healthz`, { signal: AbortSignal.timeout(4_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}

export {};
