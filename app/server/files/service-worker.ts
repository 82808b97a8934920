import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import { offlinePage } from "../listener/standalone-pages.tsx";
import type { Assets } from "../pages/built-assets.ts";

const workerSourcePath = join(import.meta.dir, "..", "..", "worker", "sw.js");

/**
 * `/offline`, and `/sw.js`, the service worker that stores it on the phone. A browser compares the worker's bytes with its copy, so every
 * change of the stored files must change them: `version` is in its first line.
 */
export function createOfflineRoutes({ assets, version }: { assets: Assets; version: string }) {
  const files = [assets.stylesheet, assets.enhance, "/icon.svg"];
  const head = `const version = ${JSON.stringify(version)};\nconst files = ${JSON.stringify(files)};\n`;
  const script = head + readFileSync(workerSourcePath, "utf8");
  return new Elysia({ name: "offline" }).get("/offline", offlinePage(assets)).get(
    "/sw.js",
    () =>
      new Response(script, {
        headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" },
      }),
  );
}
