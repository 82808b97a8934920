import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerBuild } from "react-router";

const applicationRoot = join(import.meta.dir, "..", "..", "..");
const serverBundle = join(applicationRoot, "build", "server", "index.js");

/** The folder of what browsers fetch. */
export const clientFolder = join(applicationRoot, "build", "client");

/** A stylesheet: its public address, and what stands in it. */
export interface LoadedStylesheet {
  stylesheet: string;
  styles: string;
}

/** Public addresses of what every page is drawn with. */
export interface Assets extends LoadedStylesheet {
  islands: string;
  enhance: string;
  /** The keyboard of the back office. */
  desk: string;
  /** What speaks with passkeys, on the pages that ask for one. */
  passkey: string;
  /** The stylesheet of the pages for everybody, which is smaller, and that of the back office, which is larger. */
  front: LoadedStylesheet;
  back: LoadedStylesheet;
}

/** What `bun run build` made: the pages, the addresses of their parts, and a name that changes whenever one of them does. */
export async function loadBuild(): Promise<{ build: ServerBuild; assets: Assets; version: string }> {
  const build = (await import(serverBundle)) as ServerBuild;
  const scripts = JSON.parse(readFileSync(join(applicationRoot, "build", "scripts.json"), "utf8")) as Pick<
    Assets,
    "islands" | "enhance" | "desk" | "passkey"
  >;
  const { app, desk, front } = stylesheetsOf(build);
  const assets = {
    ...scripts,
    ...readStylesheet(app),
    front: readStylesheet(front),
    back: readStylesheet(desk),
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

type Stylesheets = { app: string; desk: string; front: string };

/** The root route names the stylesheets. */
function stylesheetsOf(build: ServerBuild): Stylesheets {
  const handle = build.routes.root?.module.handle as { stylesheets?: Stylesheets } | undefined;
  if (handle?.stylesheets === undefined) throw new Error("The built pages name no stylesheet");
  return handle.stylesheets;
}
