import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/server/midman-server.ts";
import { cores, type Midman, root } from "../support/midman.ts";
import { nodePackage, nodeVersion, temporaryPackages } from "../support/packages.ts";
import { answering, type Pinned, pinned } from "../support/process.ts";

const app = join(root, "tests", "bench", "reference-ssr");

export type NodeReference = Pinned & { url: string; versions: string };

/**
 * Starts the reference app (tests/bench/reference-ssr) by `react-router-serve` on a Node of its own, on the database of a
 * running Midman. Its packages are installed into a temporary folder; React and React Router are the project's own copies.
 */
export async function startNodeReference(midman: Midman): Promise<NodeReference> {
  const serve = { "@react-router/serve": "8.4.0" };
  const packages = await temporaryPackages({ ...nodePackage, ...serve });
  for (const name of ["react-router", "@react-router/node"]) {
    const copy = join(packages.folder, "node_modules", name);
    rmSync(copy, { recursive: true, force: true });
    symlinkSync(join(root, "node_modules", name), copy);
  }
  await build();
  const port = await freePort();
  const cli = join(packages.folder, "node_modules", "@react-router", "serve", "dist", "cli.js");
  const server = pinned(cores.server, [packages.node, cli, "build/server/index.js"], {
    cwd: app,
    env: { ...midman.environment, PORT: String(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(url, true);
  const end = async () => {
    await server.end();
    rmSync(join(app, "build"), { recursive: true, force: true });
  };
  return {
    ...server,
    url,
    versions: `Node ${nodeVersion}, react-router-serve ${serve["@react-router/serve"]}`,
    end,
    [Symbol.asyncDispose]: end,
  };
}

async function build(): Promise<void> {
  const command = [process.execPath, "x", "--bun", "react-router", "build", app];
  const env = { ...process.env, NODE_ENV: "production" };
  const run = Bun.spawn(command, { cwd: root, env, stdout: "pipe", stderr: "pipe" });
  const [code, said] = await Promise.all([run.exited, new Response(run.stderr).text()]);
  if (code !== 0 || !existsSync(join(app, "build", "server", "index.js"))) {
    throw new Error(`The reference app could not be built:\n${said}`);
  }
}
