import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/**
 * Leaves every `#…` import out of the pages' bundle. Two copies of a module in one process would mean two pools
 * and two buses; so the bundle asks the running process for them, through package.json `imports`. The browser's
 * bundle leaves them out too: it is thrown away, only its stylesheet is kept.
 */
function oneCopyOfEachModule(): Plugin {
  return {
    name: "one-copy-of-each-module",
    enforce: "pre",
    resolveId(id) {
      return id.startsWith("#") ? { id, external: true } : undefined;
    },
  };
}

export default defineConfig({
  plugins: [oneCopyOfEachModule(), tailwindcss(), reactRouter()],
  // Bundled, so that only the icons in use are loaded when the server starts.
  ssr: { noExternal: ["lucide"] },
  build: { assetsInlineLimit: 0, reportCompressedSize: false, target: "es2022" },
  publicDir: "public",
  logLevel: "warn",
});
