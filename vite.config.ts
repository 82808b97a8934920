import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { floorTargets } from "./config/browser-floor.ts";

/**
 * Leaves every `#…` import out of the pages' bundle. Two copies of a module in one process would mean two pools
 * and two buses; so the bundle asks the running process for them, through package.json `imports`.
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

/**
 * Empties the router's own client, which no page loads: the router insists on building one. What a page needs besides
 * (stylesheets, pictures) comes with the server's bundle.
 */
function noRouterClient(): Plugin {
  return {
    name: "no-router-client",
    enforce: "post",
    applyToEnvironment: (environment) => environment.name === "client",
    transform: {
      filter: { id: /(\?__react-router-build-client-route|\/entry\.client\.tsx)$/ },
      handler: () => ({ code: "export {};", map: null, moduleSideEffects: false }),
    },
  };
}

/** Says beside the server's bundle which files it was made of. */
function tellInputs(): Plugin {
  return {
    name: "tell-inputs",
    applyToEnvironment: (environment) => environment.name === "ssr",
    generateBundle() {
      const source = JSON.stringify([...this.getModuleIds()]);
      this.emitFile({ type: "asset", fileName: "inputs.json", source });
    },
  };
}

export default defineConfig({
  plugins: [oneCopyOfEachModule(), tailwindcss(), reactRouter(), noRouterClient(), tellInputs()],
  // Bundled, so that only the icons in use are loaded when the server starts.
  ssr: { noExternal: ["lucide"] },
  build: { assetsInlineLimit: 0, reportCompressedSize: false, target: "es2022", cssTarget: floorTargets },
  publicDir: "public",
  logLevel: "warn",
});
