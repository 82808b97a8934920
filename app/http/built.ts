import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "react-router";

const root = join(import.meta.dir, "..", "..");
const serverBundle = join(root, "build", "server", "index.js");

/** The folder of what browsers fetch. */
export const clientFolder = join(root, "build", "client");

/** Public addresses of what every page is drawn with. */
export interface Assets {
  islands: string;
  enhance: string;
  stylesheet: string;
}

/** What `bun run build` made: the pages, the addresses of their parts, and a name that changes whenever one of them does. */
export async function loadBuilt(): Promise<{ build: ServerBuild; assets: Assets; version: string }> {
  const build = (await import(serverBundle)) as ServerBuild;
  const scripts = JSON.parse(readFileSync(join(root, "build", "scripts.json"), "utf8")) as Omit<
    Assets,
    "stylesheet"
  >;
  const assets = { ...scripts, stylesheet: stylesheetOf(build) };
  const texts = ["en", "mn"].map((language) => readFileSync(join(root, "locales", `${language}.json`)));
  const hash = createHash("sha256").update(readFileSync(serverBundle)).update(JSON.stringify(assets));
  for (const text of texts) hash.update(text);
  return { build, assets, version: hash.digest("hex").slice(0, 12) };
}

/** The root route links the one stylesheet. */
function stylesheetOf(build: ServerBuild): string {
  for (const link of build.routes.root?.module.links?.() ?? []) {
    if ("rel" in link && link.rel === "stylesheet" && link.href !== undefined) return link.href;
  }
  throw new Error("The built pages name no stylesheet");
}
