import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** Stock hydration knows no islands: what our page renders apart is here a part of the page's own tree. */
function noIslands(): Plugin {
  return {
    name: "no-islands",
    enforce: "pre",
    resolveId(id) {
      return id.endsWith("components/island.tsx") ? join(import.meta.dirname, "app/island.tsx") : undefined;
    },
  };
}

/** Node has no client of S3 built in, and no picture is asked for here. */
function noBun(): Plugin {
  return {
    name: "no-bun",
    enforce: "pre",
    resolveId: (id) => (id === "bun" ? "\0bun" : undefined),
    load: (id) => (id === "\0bun" ? "export class S3Client {}" : undefined),
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [noIslands(), noBun(), tailwindcss(), reactRouter()],
  // Bun's names on Node. Nobody signs in here, so no password is ever hashed.
  ssr: { noExternal: ["bun"] },
  define: { "import.meta.dir": "import.meta.dirname", "Bun.password.hash": "(async () => '')" },
  build: { assetsInlineLimit: 0, reportCompressedSize: false, target: "es2022" },
  logLevel: "error",
});
