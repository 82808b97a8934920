import { Elysia } from "elysia";
import { escrowHttp } from "#http/escrow";
import { identityHttp } from "#http/identity";
import { mailerHttp } from "#http/mailer";
import { paymentsHttp } from "#http/payments";
import { roomsHttp, socketOptions } from "#http/rooms";
import { originOf, requestIdOf } from "#modules/identity";
import { answerAsJson, compressed } from "../files/compress.ts";
import { manifest } from "../files/manifest.ts";
import { offline } from "../files/service-worker.ts";
import { speculation } from "../files/speculation.ts";
import { staticFiles } from "../files/static-files.ts";
import { health } from "../health/health.ts";
import { metricsHttp } from "../health/metrics.ts";
import { apiHttp } from "../openapi/routes.ts";
import { clientFolder, loadBuilt } from "../pages/built-assets.ts";
import { securityHeaders } from "../pages/headers.ts";
import { isRefusal, refusalBody, statusOf } from "../pages/outcome-responses.ts";
import { routeNames } from "../pages/page-patterns.ts";
import { pageHandler } from "../pages/render.ts";
import { seo } from "../pages/seo.ts";
import { answered, began } from "./access-log.ts";
import { answerError } from "./error-answers.ts";
import { largestRead, stopped } from "./gate.ts";
import { named } from "./http10.ts";
import { isLeaving } from "./leaving-client.ts";
import { refuseRequest } from "./plain-pages.tsx";
import { noteRefused } from "./refused-requests.ts";
import { sheddable } from "./shedding.ts";

/** The one listener: health, each module's part of the API, the socket, static files, then the pages. */
export async function listener() {
  const built = await loadBuilt();
  const files = staticFiles(clientFolder);
  const page = pageHandler(built);
  const nameOf = routeNames(built.build.routes, (request) => files(request) !== undefined);
  const app = new Elysia({ serve: { maxRequestBodySize: largestRead }, websocket: socketOptions })
    .wrap(named)
    .wrap(sheddable)
    .onRequest(async ({ request, server, set }) => {
      began(request);
      Object.assign(set.headers, securityHeaders(request));
      set.headers["x-request-id"] = requestIdOf(request);
      if (isLeaving()) set.headers.connection = "close";
      const ip = server?.requestIP(request)?.address;
      const answer = await stopped(request, ip);
      if (answer === undefined) return;
      answered(request, "turned away", answer instanceof Response ? answer.status : statusOf(answer.code));
      if (answer instanceof Response) return answer;
      await noteRefused(request, answer.code, ip);
      if (answer.code === "MAINTENANCE") {
        const file = files(request);
        if (file !== undefined) return file;
      }
      return compressed(request, refuseRequest(request, built.assets, answer));
    })
    .onAfterHandle({ as: "global" }, async ({ responseValue, request, server, set }) => {
      if (!isRefusal(responseValue)) return;
      await noteRefused(request, responseValue.code, server?.requestIP(request)?.address);
      set.status = statusOf(responseValue.code);
      if (responseValue.retryAfterSeconds !== undefined) {
        set.headers["retry-after"] = String(responseValue.retryAfterSeconds);
      }
      return refusalBody(responseValue, originOf(request).language);
    })
    .mapResponse({ as: "global" }, async ({ responseValue, request, route, set }) => {
      const answer = answerAsJson(responseValue, set.status);
      // What a call answers is somebody's, unless its door says otherwise.
      if (answer !== undefined && answer !== responseValue) set.headers["cache-control"] ??= "no-store";
      const sent = answer && (await compressed(request, answer));
      answered(request, nameOf(request, route), sent?.status ?? statusSet(route, set.status));
      return sent;
    })
    .onError({ as: "global" }, async (failure) => {
      const sent = await answerError(failure, built.assets);
      answered(failure.request, nameOf(failure.request, failure.route), sent.status);
      return sent;
    })
    .use(health)
    .use(metricsHttp)
    .use(seo)
    .use(speculation)
    .use(offline(built))
    .use(manifest)
    .use(identityHttp)
    .use(roomsHttp)
    .use(escrowHttp)
    .use(paymentsHttp)
    .use(mailerHttp)
    .all("/api/*", () => ({ ok: false, code: "NOT_FOUND" }))
    .all(
      "/*",
      ({ request, server }) => files(request) ?? page(request, server?.requestIP(request)?.address),
      {
        parse: "none",
      },
    );
  return app.use(apiHttp(() => app.routes));
}

/** Of an answer that is none of ours to send; a socket's handler answers nothing once it was upgraded. */
function statusSet(route: string, status: unknown): number {
  if (route === "/ws") return 101;
  return typeof status === "number" ? status : 200;
}
