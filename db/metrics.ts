import { readdirSync } from "node:fs";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { log } from "./log.ts";

/**
 * The metrics of this instance, in Prometheus' format. Labels come from a closed set: never personal data and never an id, which would
 * create a series each.
 */
export const metricsRegistry = new Registry();

type MetricDescription = { name: string; help: string; labels?: readonly string[] };

/** A counter that only grows; its name ends in `_total`. */
export function createCounter(told: MetricDescription): Counter {
  return registerMetric(told, (options) => new Counter(options));
}

const tallyCounts = new Map<string, Array<{ labels: Record<string, string>; count: number }>>();

/**
 * A counter for hot paths, where each frame counts and a microsecond matters: the returned function increments a plain number, which is
 * read when the metrics are scraped. Tallies with the same name form one metric.
 */
export function createTally(told: MetricDescription, labels: Record<string, string> = {}): () => void {
  const own = { labels, count: 0 };
  const all = tallyCounts.get(told.name) ?? [];
  tallyCounts.set(told.name, [...all, own]);
  registerMetric(told, (options) => {
    const value: Counter = new Counter({
      ...options,
      collect() {
        value.reset();
        for (const one of tallyCounts.get(told.name) ?? []) value.inc(one.labels, one.count);
      },
    });
    return value;
  });
  return () => {
    own.count += 1;
  };
}

/** A value that rises and falls. */
export function createGauge(told: MetricDescription): Gauge {
  return registerMetric(told, (options) => new Gauge(options));
}

/** Durations in seconds, from a millisecond to ten seconds. */
export function createDurationHistogram(told: MetricDescription): Histogram {
  const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
  return registerMetric(told, (options) => new Histogram({ ...options, buckets }));
}

type MetricReadings = Array<{ labels?: Record<string, string>; value: number }>;

/** Timeout in ms of one value's read during a scrape. */
const PATIENCE_MS = 3_000;

/**
 * A gauge that is read when the metrics are scraped and cached for `keepSeconds`, because every instance is scraped and a read may be
 * expensive. A value that cannot be read is left out; the scrape continues.
 */
export function registerScrapedGauge(
  told: MetricDescription & { keepSeconds: number },
  read: () => Promise<MetricReadings>,
): void {
  let freshUntil = 0;
  registerMetric(told, (options) => {
    const value: Gauge = new Gauge({
      ...options,
      async collect() {
        const at = performance.now();
        if (at < freshUntil) return;
        freshUntil = at + told.keepSeconds * 1_000;
        const found = await Promise.race([Promise.try(read), Bun.sleep(PATIENCE_MS)]).catch((error) =>
          log().warn({ err: error, metric: told.name }, "a metric could not be read"),
        );
        value.reset();
        if (found) for (const one of found) value.set(one.labels ?? {}, one.value);
        else freshUntil = 0;
        // Without labels, a value that was not read would be reported as 0.
        if (!found?.length && options.labelNames.length === 0) value.remove();
      },
    });
    return value;
  });
}

/** If a module is loaded twice in one process (in tests), both share the metrics. */
function registerMetric<M>({ name, help, labels = [] }: MetricDescription, make: (options: Options) => M): M {
  const full = `midman_${name}`;
  const known = metricsRegistry.getSingleMetric(full) as M | undefined;
  return known ?? make({ name: full, help, labelNames: [...labels], registers: [metricsRegistry] });
}

type Options = { name: string; help: string; labelNames: string[]; registers: Registry[] };

const LAG_EVERY_MS = 500;

/**
 * Starts measuring the process itself. prom-client's defaults are not used: under Bun 1.4.5 its event loop lag reads about a millisecond
 * during a stall of 300 ms, and handles and heap spaces read 0.
 */
export function measureProcess(): () => void {
  const lag = createDurationHistogram({
    name: "event_loop_lag_seconds",
    help: "Delay of a timer that is set to half a second",
  });
  let due = performance.now() + LAG_EVERY_MS;
  const timer = setInterval(() => {
    const at = performance.now();
    lag.observe(Math.max(0, at - due) / 1_000);
    due = at + LAG_EVERY_MS;
  }, LAG_EVERY_MS);
  timer.unref();
  const began = Date.now() / 1_000 - process.uptime();
  const own: Array<[string, string, () => number]> = [
    ["process_cpu_seconds", "Processor time used", () => sumCpuUsage(process.cpuUsage()) / 1e6],
    ["process_resident_bytes", "Memory held", () => process.memoryUsage.rss()],
    ["process_heap_bytes", "Memory of the heap in use", () => process.memoryUsage().heapUsed],
    ["process_open_files", "File descriptors open", openFiles],
    ["process_start_seconds", "Start time of the process, in seconds since 1970", () => began],
  ];
  for (const [name, help, read] of own)
    registerScrapedGauge({ name, help, keepSeconds: 0 }, async () => [{ value: read() }]);
  return () => clearInterval(timer);
}

const sumCpuUsage = ({ user, system }: NodeJS.CpuUsage) => user + system;

/** The number of open files. Throws without /proc; the value is then left out. */
function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}
