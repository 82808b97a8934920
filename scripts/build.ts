/**
 * Builds what browsers get: the pages' server bundle and stylesheets (Vite), the islands and the enhancements (Bun), a Brotli
 * twin of every text asset, and the list of files that all of it was made of (`build/inputs.json`).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

process.env.NODE_ENV = "production";
const { createBuilder } = await import("vite");

const brotli = promisify(brotliCompress);
const root = join(import.meta.dir, "..");
const folder = join(root, "build");
const assets = join(folder, "client", "assets");
const inputs = new Set<string>();

/** Builds the pages; the build's own plugin says of what (vite.config.ts). */
async function buildPages(): Promise<void> {
  const builder = await createBuilder({ root });
  await builder.buildApp();
  const list = join(folder, "server", "inputs.json");
  for (const file of JSON.parse(readFileSync(list, "utf8"))) inputs.add(file);
  rmSync(list);
}

/** Bundles one entry into one file with a hashed name, and holds it in memory. */
async function bundle(entry: string) {
  const built = await Bun.build({
    entrypoints: [join(root, "app", entry)],
    naming: "[name]-[hash].[ext]",
    minify: true,
    metafile: true,
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  for (const file of Object.keys(built.metafile?.inputs ?? {})) inputs.add(file);
  return built.outputs;
}

/** Lays a bundle among the assets; answers the public path of its entry. */
async function keep(outputs: Bun.BuildArtifact[]): Promise<string> {
  mkdirSync(assets, { recursive: true });
  await Promise.all(outputs.map((file) => Bun.write(join(assets, file.path), file)));
  const entry = outputs.find((file) => file.kind === "entry-point");
  if (entry === undefined) throw new Error("build: a bundle gave no file");
  return `/assets/${entry.path.split("/").at(-1)}`;
}

async function compress(file: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.br`, await brotli(readFileSync(file), { params }));
}

function textsIn(place: string): string[] {
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && /\.(js|css|svg|json|txt|xml)$/.test(item.name))
    .map((item) => join(item.parentPath, item.name));
}

/** The router's own client is never loaded by a page: what its build left behind goes. */
function dropRouterClient(): void {
  for (const name of readdirSync(assets)) if (name.endsWith(".js")) rmSync(join(assets, name));
  rmSync(join(folder, "client", ".vite"), { recursive: true, force: true });
}

/** Our own sources among what was read, as paths from the root. */
function ours(files: Iterable<string>): string[] {
  const paths = [...files].map((file) => relative(root, file.replace(/\?.*$/, "")));
  return [...new Set(paths)].filter((path) => /^(app|modules|db|locales)\//.test(path)).sort();
}

rmSync(folder, { recursive: true, force: true });
const [, islands, enhance, desk, passkey] = await Promise.all([
  buildPages(),
  bundle("islands/entry.ts"),
  bundle("enhance/entry.ts"),
  bundle("enhance/desk/entry.ts"),
  bundle("enhance/passkey/entry.ts"),
]);
dropRouterClient();
const scripts = {
  islands: await keep(islands),
  enhance: await keep(enhance),
  desk: await keep(desk),
  passkey: await keep(passkey),
};
await Promise.all(textsIn(join(folder, "client")).map(compress));
writeFileSync(join(folder, "inputs.json"), `${JSON.stringify(ours(inputs), null, 2)}\n`);
writeFileSync(join(folder, "scripts.json"), `${JSON.stringify(scripts, null, 2)}\n`);
// Only whoever builds a release knows the commit: a tree may differ from it, and an image has no `.git`.
const commit = process.env.MIDMAN_COMMIT ?? "";
if (commit !== "") writeFileSync(join(folder, "commit"), `${commit}\n`);
