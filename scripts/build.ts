/**
 * Builds the files for browsers: the pages' server bundle and stylesheets (Vite), the islands and the enhancements (Bun), a Brotli copy of
 * every text asset, and the list of all source files (`build/inputs.json`).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { floorTargets } from "../config/browser-floor.ts";
import { leanReact } from "./assets/lean-react.ts";

process.env.NODE_ENV = "production";
const { createBuilder, minify, rolldownVersion, transformWithOxc } = await import("vite");

const compressBrotli = promisify(brotliCompress);
const buildRoot = join(import.meta.dir, "..");
const buildFolder = join(buildRoot, "build");
const assetsFolder = join(buildFolder, "client", "assets");
const inputFiles = new Set<string>();
/** Bytes that each package, or the product itself (`.`), has in each script; tests hold the room's. */
const scriptParts: Record<string, Record<string, number>> = {};
/** Part of each script's name: what lowers a bundle changes its text after its hash was taken. */
const loweringKey = Bun.hash(`${floorTargets} ${rolldownVersion}`).toString(36).slice(0, 4);

/** Builds the pages and returns their source files, which the build's own plugin lists (vite.config.ts). */
async function buildPages(): Promise<void> {
  const builder = await createBuilder({ root: buildRoot });
  await builder.buildApp();
  const list = join(buildFolder, "server", "inputs.json");
  for (const file of JSON.parse(readFileSync(list, "utf8"))) inputFiles.add(file);
  rmSync(list);
}

/**
 * Bundles one entry in memory, under hashed names: one file, and one more for each part that the entry loads by `import()`. Such a part takes
 * what it shares with the entry from the entry's file, so that no page waits for a third one.
 */
async function bundleEntry(entry: string) {
  const built = await Bun.build({
    entrypoints: [join(buildRoot, "app", entry)],
    naming: { entry: `[name]-[hash]${loweringKey}.[ext]`, chunk: `[name]-[hash]${loweringKey}.[ext]` },
    splitting: true,
    minify: true,
    plugins: [leanReact()],
    metafile: true,
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  for (const file of Object.keys(built.metafile?.inputs ?? {})) inputFiles.add(file);
  for (const [file, { inputs }] of Object.entries(built.metafile?.outputs ?? {}))
    scriptParts[basename(file)] = countPackageBytes(inputs);
  return built.outputs;
}

function countPackageBytes(inputs: Record<string, { bytesInOutput: number }>): Record<string, number> {
  const bytes: Record<string, number> = {};
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? ".";
    bytes[name] = (bytes[name] ?? 0) + bytesInOutput;
  }
  return bytes;
}

/** A bundle's text in the syntax of the oldest browsers. What would need a helper is refused: it would be a second file. */
async function lowerScript(file: Bun.BuildArtifact): Promise<string> {
  const name = basename(file.path);
  const { code } = await transformWithOxc(await file.text(), name, {
    target: floorTargets,
    sourcemap: false,
  });
  if (code.includes("@oxc-project/runtime"))
    throw new Error(
      `build: ${name} uses syntax that is newer than config/browser-floor.ts and needs a helper`,
    );
  const options = { module: true, compress: { target: floorTargets }, mangle: { toplevel: true } };
  return (await minify(name, code, options)).code;
}

/** Writes a bundle into the assets folder. Returns the public path of its entry. */
async function writeBundle(outputs: Bun.BuildArtifact[]): Promise<string> {
  mkdirSync(assetsFolder, { recursive: true });
  await Promise.all(
    outputs.map(async (file) => Bun.write(join(assetsFolder, basename(file.path)), await lowerScript(file))),
  );
  const entry = outputs.find((file) => file.kind === "entry-point");
  if (entry === undefined) throw new Error("build: a bundle gave no file");
  return `/assets/${basename(entry.path)}`;
}

async function compressFile(file: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.br`, await compressBrotli(readFileSync(file), { params }));
}

function textsIn(place: string): string[] {
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && /\.(js|css|svg|json|txt|xml)$/.test(item.name))
    .map((item) => join(item.parentPath, item.name));
}

/** Removes the router's client from the build: no page loads it. */
function dropRouterClient(): void {
  for (const name of readdirSync(assetsFolder)) if (name.endsWith(".js")) rmSync(join(assetsFolder, name));
  rmSync(join(buildFolder, "client", ".vite"), { recursive: true, force: true });
}

/** The project's own sources among the files that were read, as paths from the root. */
function selectOwnSources(files: Iterable<string>): string[] {
  const paths = [...files].map((file) => relative(buildRoot, file.replace(/\?.*$/, "")));
  return [...new Set(paths)].filter((path) => /^(app|modules|db|locales)\//.test(path)).sort();
}

rmSync(buildFolder, { recursive: true, force: true });
const [, islandsBundle, enhanceBundle, backOfficeBundle, passkeyBundle, inPlaceBundle, roomsBundle] =
  await Promise.all([
    buildPages(),
    bundleEntry("islands/entry.ts"),
    bundleEntry("enhance/entry.ts"),
    bundleEntry("enhance/backoffice/entry.ts"),
    bundleEntry("enhance/passkey/entry.ts"),
    bundleEntry("enhance/in-place/entry.ts"),
    bundleEntry("enhance/rooms/entry.ts"),
  ]);
dropRouterClient();
const scriptPaths = {
  islands: await writeBundle(islandsBundle),
  enhance: await writeBundle(enhanceBundle),
  backoffice: await writeBundle(backOfficeBundle),
  passkey: await writeBundle(passkeyBundle),
  inPlace: await writeBundle(inPlaceBundle),
  rooms: await writeBundle(roomsBundle),
};
await Promise.all(textsIn(join(buildFolder, "client")).map(compressFile));
writeFileSync(join(buildFolder, "inputs.json"), `${JSON.stringify(selectOwnSources(inputFiles), null, 2)}\n`);
writeFileSync(join(buildFolder, "script-parts.json"), `${JSON.stringify(scriptParts, null, 2)}\n`);
writeFileSync(join(buildFolder, "scripts.json"), `${JSON.stringify(scriptPaths, null, 2)}\n`);
// Only the builder of a release knows the commit: a working tree may differ from it, and an image has no `.git`.
const buildCommit = process.env.MIDMAN_COMMIT ?? "";
if (buildCommit !== "") writeFileSync(join(buildFolder, "commit"), `${buildCommit}\n`);
