import { Elysia } from "elysia";
import { escrowRoutes } from "#http/escrow";
import { identityRoutes } from "#http/identity";
import { mailerRoutes } from "#http/mailer";
import { paymentsRoutes } from "#http/payments";
import { roomsRoutes, socketOptions } from "#http/rooms";
import { originOf, requestIdOf } from "#modules/identity";
import { respondWithBankLogo } from "../files/bank-logo-files.ts";
import { compressResponse, toJsonResponse } from "../files/compress.ts";
import { createOfflineRoutes } from "../files/service-worker.ts";
import { speculationRoutes } from "../files/speculation-rules.ts";
import { indexStaticFiles } from "../files/static-files.ts";
import { manifestRoutes } from "../files/web-app-manifest.ts";
import { healthRoutes } from "../health/health.ts";
import { metricsRoutes } from "../health/metrics.ts";
import { createApiDocumentRoutes } from "../openapi/routes.ts";
import { clientFolder, loadBuild } from "../pages/built-assets.ts";
import { pageHandler } from "../pages/page-handler.ts";
import { isRefusal, refusalBody, statusOf } from "../pages/refusal-responses.ts";
import { createRouteNamer } from "../pages/route-patterns.ts";
import { securityHeaders } from "../pages/security-headers.ts";
import { seoRoutes } from "../pages/seo.ts";
import { logAnsweredRequest, startRequestTimer } from "./access-log.ts";
import { isDraining } from "./connection-draining.ts";
import { answerError } from "./error-responses.ts";
import { withHostName } from "./http10.ts";
import { withLoadShedding } from "./load-shedding.ts";
import { logRefusedRequest } from "./refusal-log.ts";
import { largestRead, refuseAtGate } from "./request-gate.ts";
import { refuseRequest } from "./standalone-pages.tsx";

/** The only listener: health, each module's API, the socket, static files, then the pages. */
export async function createListener() {
  const built = await loadBuild();
  const builtFiles = indexStaticFiles(clientFolder);
  const files: StaticFiles = (request) => builtFiles(request) ?? respondWithBankLogo(request);
  const page = pageHandler(built);
  const nameOf = createRouteNamer(built.build.routes, (request) => files(request) !== undefined);
  const answerAtGate = createGateAnswers(files, built.assets);
  const app = new Elysia({ serve: { maxRequestBodySize: largestRead }, websocket: socketOptions })
    .wrap(withHostName)
    .wrap(withLoadShedding)
    .onRequest(async ({ request, server, set }) => {
      startRequestTimer(request);
      Object.assign(set.headers, securityHeaders(request));
      set.headers["x-request-id"] = requestIdOf(request);
      if (isDraining()) set.headers.connection = "close";
      return await answerAtGate(request, server?.requestIP(request)?.address);
    })
    .onAfterHandle({ as: "global" }, async ({ responseValue, request, server, set }) => {
      if (!isRefusal(responseValue)) return;
      await logRefusedRequest(request, responseValue.code, server?.requestIP(request)?.address);
      set.status = statusOf(responseValue.code);
      if (responseValue.retryAfterSeconds !== undefined) {
        set.headers["retry-after"] = String(responseValue.retryAfterSeconds);
      }
      return refusalBody(responseValue, originOf(request).language);
    })
    .mapResponse({ as: "global" }, async ({ responseValue, request, route, set }) => {
      const answer = toJsonResponse(responseValue, set.status);
      // An API response is personal unless its route says otherwise.
      if (answer !== undefined && answer !== responseValue) set.headers["cache-control"] ??= "no-store";
      const sent = answer && (await compressResponse(request, answer));
      logAnsweredRequest(
        request,
        nameOf(request, route),
        sent?.status ?? statusWithoutResponse(route, set.status),
      );
      return sent;
    })
    .onError({ as: "global" }, async (failure) => {
      const sent = await answerError(failure, built.assets);
      logAnsweredRequest(failure.request, nameOf(failure.request, failure.route), sent.status);
      return sent;
    })
    .use(healthRoutes)
    .use(metricsRoutes)
    .use(seoRoutes)
    .use(speculationRoutes)
    .use(createOfflineRoutes(built))
    .use(manifestRoutes)
    .use(identityRoutes)
    .use(roomsRoutes)
    .use(escrowRoutes)
    .use(paymentsRoutes)
    .use(mailerRoutes)
    .all("/api/*", () => ({ ok: false, code: "NOT_FOUND" }))
    .all(
      "/*",
      ({ request, server }) => files(request) ?? page(request, server?.requestIP(request)?.address),
      {
        parse: "none",
      },
    );
  return app.use(createApiDocumentRoutes(() => app.routes));
}

type StaticFiles = ReturnType<typeof indexStaticFiles>;
type Assets = Parameters<typeof refuseRequest>[1];

/**
 * Answers requests that the gate refuses before any route sees them; undefined if a request may pass. Static files are served during
 * maintenance too.
 */
function createGateAnswers(files: StaticFiles, assets: Assets) {
  return async (request: Request, ip: string | undefined) => {
    const answer = await refuseAtGate(request, ip);
    if (answer === undefined) return;
    const status = answer instanceof Response ? answer.status : statusOf(answer.code);
    logAnsweredRequest(request, "turned away", status);
    if (answer instanceof Response) return answer;
    await logRefusedRequest(request, answer.code, ip);
    const file = answer.code === "MAINTENANCE" ? files(request) : undefined;
    return file ?? compressResponse(request, refuseRequest(request, assets, answer));
  };
}

/** The status to log when there is no response to send; a socket's handler returns nothing after the upgrade. */
function statusWithoutResponse(route: string, status: unknown): number {
  if (route === "/ws") return 101;
  return typeof status === "number" ? status : 200;
}
