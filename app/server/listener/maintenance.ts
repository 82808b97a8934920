import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Elysia } from "elysia";
import { config } from "#config";
import { compressResponse } from "../files/compress.ts";
import { releaseVersion } from "../files/release-version.ts";
import { indexStaticFiles } from "../files/static-files.ts";
import { clientFolder, loadBuild } from "../pages/built-assets.ts";
import { securityHeaders } from "../pages/security-headers.ts";
import { withHostName } from "./http10.ts";
import { refuseRequest } from "./standalone-pages.tsx";

/**
 * True during maintenance: by `MAINTENANCE=true` from the start, or by a file `maintenance` in DATA_DIR, which takes effect with the next
 * request. Neither needs the database.
 */
export function isUnderMaintenance(): boolean {
  return config().MAINTENANCE || existsSync(resolve(config().DATA_DIR, "maintenance"));
}

/**
 * The listener of an instance that was started for maintenance: alive, never ready; every page and call responds that Midman is under
 * maintenance. It needs no database.
 */
export async function createMaintenanceListener() {
  const { assets } = await loadBuild();
  const files = indexStaticFiles(clientFolder);
  return new Elysia()
    .wrap(withHostName)
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, securityHeaders(request));
    })
    .get("/healthz", () => ({ status: "ok" }))
    .get("/version", () => releaseVersion())
    .get("/readyz", ({ set }) => {
      set.status = 503;
      return maintenanceReadiness;
    })
    .all(
      "/*",
      ({ request }) =>
        files(request) ??
        compressResponse(request, refuseRequest(request, assets, { ok: false, code: "MAINTENANCE" })),
      { parse: "none" },
    );
}

/** The response of `/readyz` during maintenance. */
export const maintenanceReadiness = { status: "not ready", maintenance: true } as const;
