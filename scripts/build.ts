/**
 * Builds what browsers get: the pages' server bundle and stylesheet (Vite), the islands and the enhancements (Bun),
 * and a Brotli twin of every text asset.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const root = join(import.meta.dir, "..");
const client = join(root, "build", "client");

function buildPages(): void {
  rmSync(join(root, "build"), { recursive: true, force: true });
  const run = Bun.spawnSync([process.execPath, "x", "--bun", "react-router", "build"], {
    cwd: root,
    stdout: "inherit",
    stderr: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (run.exitCode !== 0) process.exit(run.exitCode ?? 1);
}

/** Bundles one entry with shared chunks and hashed names; answers the public path of the entry. */
async function bundle(entry: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(root, "app", entry)],
    outdir: join(client, "assets"),
    naming: { entry: "[name]-[hash].[ext]", chunk: "chunk-[hash].[ext]" },
    splitting: true,
    minify: true,
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const output = built.outputs.find((file) => file.kind === "entry-point");
  if (output === undefined) throw new Error(`build: ${entry} gave no file`);
  return `/assets/${output.path.split("/").at(-1)}`;
}

function compress(folder: string): void {
  for (const item of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!item.isFile() || !/\.(js|css|svg|json|txt|xml)$/.test(item.name)) continue;
    const file = join(item.parentPath, item.name);
    const packed = brotliCompressSync(readFileSync(file), {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    });
    writeFileSync(`${file}.br`, packed);
  }
}

/** The router's own client is never loaded by a page: what its build left behind goes. */
function dropRouterClient(): void {
  const assets = join(client, "assets");
  for (const name of readdirSync(assets)) if (name.endsWith(".js")) rmSync(join(assets, name));
}

buildPages();
dropRouterClient();
const scripts = {
  islands: await bundle("islands/entry.ts"),
  enhance: await bundle("enhance/entry.ts"),
  desk: await bundle("enhance/desk/entry.ts"),
};
writeFileSync(join(root, "build", "scripts.json"), `${JSON.stringify(scripts, null, 2)}\n`);
compress(client);
