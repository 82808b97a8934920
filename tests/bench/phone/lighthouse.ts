import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { cookiesFor } from "../../support/pages/browser-cookies.ts";
import { temporaryPackages } from "../support/packages.ts";
import { median } from "../support/results.ts";
import type { Page } from "./report.ts";

/** Too heavy to be a dependency: installed for the run alone. */
export const lighthouseVersion = "13.5.0";

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof categories)[number];

/** Medians of 0 to 100, and what took points away. */
export type Scores = Record<Category, number> & { faults: string[] };

let installed: Promise<{ folder: string }> | undefined;

type Report = {
  categories: Record<Category, { score: number | null; auditRefs: Array<{ id: string; weight: number }> }>;
  audits: Record<string, { score: number | null; title: string }>;
};

/** Lighthouse's mobile run of a page, so many times. Throws when it cannot be installed or run. */
export async function lighthouse(
  { visit }: Page,
  how: { rounds: number; executablePath: string },
): Promise<Scores> {
  installed ??= temporaryPackages({ lighthouse: lighthouseVersion });
  const { folder } = await installed;
  const reports: Report[] = [];
  const run = () => once(folder, visit.url, visit.cookies, visit.language, how.executablePath);
  for (let round = 0; round < how.rounds; round++) {
    // Now and then Chromium's trace lacks its beginning, which says nothing of the page: Lighthouse then asks to be run again.
    reports.push(
      await run().catch((error) => (/NO_NAVSTART/.test(String(error)) ? run() : Promise.reject(error))),
    );
  }
  const score = (category: Category) =>
    Math.round(median(reports.map((report) => (report.categories[category].score ?? 0) * 100)));
  const [last] = reports;
  const faults = categories.flatMap((category) =>
    category === "performance"
      ? []
      : (last?.categories[category].auditRefs ?? [])
          .filter(({ id, weight }) => weight > 0 && (last?.audits[id]?.score ?? 1) < 1)
          .map(({ id }) => `${category}: ${id}`),
  );
  return {
    performance: score("performance"),
    accessibility: score("accessibility"),
    "best-practices": score("best-practices"),
    seo: score("seo"),
    faults,
  };
}

/** One run in a browser of its own: cookies lie in it as a person's do, so that sockets carry them too. */
async function once(
  folder: string,
  url: string,
  cookies: string | undefined,
  language: string,
  executablePath: string,
): Promise<Report> {
  const work = mkdtempSync(join(tmpdir(), "midman-lighthouse-"));
  const port = freePort();
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"];
  const args = [...flags, `--remote-debugging-port=${port}`];
  const browser = await chromium.launchPersistentContext(join(work, "profile"), { executablePath, args });
  try {
    await browser.addCookies(cookiesFor(`${cookies ?? ""}; midman-language=${language}`, url));
    const output = join(work, "report.json");
    const run = Bun.spawn(
      [
        process.execPath,
        join(folder, "node_modules", "lighthouse", "cli", "index.js"),
        url,
        "--quiet",
        "--output=json",
        `--output-path=${output}`,
        `--only-categories=${categories.join(",")}`,
        `--port=${port}`,
        // Or it would sign the person out first. The browser is new: nothing else lies in it.
        "--disable-storage-reset",
      ],
      { cwd: work, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    );
    const [code, said] = await Promise.all([run.exited, new Response(run.stderr).text()]);
    if (code !== 0) throw new Error(`lighthouse ended with ${code}: ${said.slice(-500)}`);
    return JSON.parse(readFileSync(output, "utf8")) as Report;
  } finally {
    await browser.close();
    rmSync(work, { recursive: true, force: true });
  }
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}
