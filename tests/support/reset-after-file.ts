import { afterAll, mock, setSystemTime } from "bun:test";
import { readFileSync } from "node:fs";
import { resetConfig } from "../../config.ts";
import { resetClock } from "../../db/clock.ts";
import { refillTokenBuckets } from "../../db/throttle/token-bucket.ts";
import { renewDataFolder } from "./environment.ts";

// Many files run in one process (`--no-isolate`), so what one file leaves behind would fail another. After each file the environment, the
// settings, both clocks, the token buckets and mocked functions are as they were before it, and its timers are cleared. What a file registers
// with a module it also takes back: each `register…` returns a function for that.
const initialEnvironment = { ...process.env };
const runningTimers = trackTimers();

afterAll(resetProcess);

// Bun runs the hooks of a preloaded file after each file in a worker of `--parallel`; in a single process (`--parallel=1`, or one core) it runs
// them once, after the last file. There, loading the next file is the first moment after the last one.
Bun.plugin({
  name: "reset before each test file",
  setup(build) {
    build.onLoad({ filter: /\.test\.ts$/ }, ({ path }) => {
      resetProcess();
      return { contents: readFileSync(path, "utf8"), loader: "ts" };
    });
  },
});

function resetProcess(): void {
  for (const timer of runningTimers) clearTimeout(timer);
  runningTimers.clear();
  for (const name of Object.keys(process.env)) if (!(name in initialEnvironment)) delete process.env[name];
  Object.assign(process.env, initialEnvironment);
  // The process may be ended without its exit handlers, so each file removes its folder.
  renewDataFolder();
  resetConfig();
  setSystemTime();
  resetClock();
  refillTokenBuckets();
  mock.restore();
}

/** Wraps the global timer functions. The set has the timers that were started and have neither run nor been cleared. */
function trackTimers(): Set<Timer> {
  const running = new Set<Timer>();
  const { setTimeout: startTimeout, setInterval: startInterval, clearTimeout: stopTimer } = globalThis;
  globalThis.setTimeout = Object.assign(
    (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      const timer: Timer = startTimeout(() => {
        running.delete(timer);
        run(...given);
      }, ms);
      running.add(timer);
      return timer;
    },
    startTimeout,
  ) as typeof setTimeout;
  globalThis.setInterval = Object.assign(
    (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      const timer = startInterval(run, ms, ...given);
      running.add(timer);
      return timer;
    },
    startInterval,
  ) as typeof setInterval;
  const stop = (timer?: Timer) => {
    if (timer !== undefined) running.delete(timer);
    stopTimer(timer);
  };
  globalThis.clearTimeout = stop as typeof clearTimeout;
  globalThis.clearInterval = stop as typeof clearInterval;
  return running;
}
