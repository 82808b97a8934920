import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "react-router";

const applicationRoot = join(import.meta.dir, "..", "..", "..");
const serverBundle = join(applicationRoot, "build", "server", "index.js");

/** The folder of the files that browsers fetch. */
export const clientFolder = join(applicationRoot, "build", "client");

/** A stylesheet: its public address and its text. */
export interface LoadedStylesheet {
  stylesheet: string;
  styles: string;
}

/** Public addresses of the files that every page needs. */
export interface Assets extends LoadedStylesheet {
  islands: string;
  enhance: string;
  /** The script of the back office: its keyboard shortcuts. */
  backoffice: string;
  /** The passkey script, for the pages that ask for one. */
  passkey: string;
  /** The script that posts forms without leaving the page. */
  inPlace: string;
  /** The script that keeps a list of rooms up to date. */
  rooms: string;
  /** The smaller stylesheet of the public pages, and the larger one of the back office. */
  front: LoadedStylesheet;
  back: LoadedStylesheet;
}

/** Loads the result of `bun run build`: the pages, the addresses of their assets, and a version that changes whenever one of them does. */
export async function loadBuild(): Promise<{ build: ServerBuild; assets: Assets; version: string }> {
  const build = (await import(serverBundle)) as ServerBuild;
  const scripts = JSON.parse(readFileSync(join(applicationRoot, "build", "scripts.json"), "utf8")) as Pick<
    Assets,
    "islands" | "enhance" | "backoffice" | "passkey" | "inPlace" | "rooms"
  >;
  const { app, backoffice, front } = stylesheetsOf(build);
  const assets = {
    ...scripts,
    ...readStylesheet(app),
    front: readStylesheet(front),
    back: readStylesheet(backoffice),
  };
  const texts = ["en", "mn"].map((language) =>
    readFileSync(join(applicationRoot, "locales", `${language}.json`)),
  );
  const hash = createHash("sha256").update(readFileSync(serverBundle)).update(JSON.stringify(assets));
  for (const text of texts) hash.update(text);
  return { build, assets, version: hash.digest("hex").slice(0, 12) };
}

function readStylesheet(stylesheet: string): LoadedStylesheet {
  return { stylesheet, styles: readFileSync(join(clientFolder, stylesheet), "utf8") };
}

type Stylesheets = { app: string; backoffice: string; front: string };

/** Reads the stylesheets that the root route names. */
function stylesheetsOf(build: ServerBuild): Stylesheets {
  const handle = build.routes.root?.module.handle as { stylesheets?: Stylesheets } | undefined;
  if (handle?.stylesheets === undefined) throw new Error("The built pages name no stylesheet");
  return handle.stylesheets;
}
