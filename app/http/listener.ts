import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { escrowHttp } from "#http/escrow";
import { identityHttp } from "#http/identity";
import { mailerHttp } from "#http/mailer";
import { paymentsHttp } from "#http/payments";
import { roomsHttp, socketOptions } from "#http/rooms";
import { actorOf } from "#modules/identity";
import { type Visit, visitContext } from "./context.ts";
import { answerError } from "./errors.ts";
import { clearedFlash, cookie, readFlash } from "./flash.ts";
import { securityHeaders } from "./headers.ts";
import { health } from "./health.ts";
import { crossSite } from "./origin.ts";
import { isRefusal, refusalBody, statusOf } from "./outcome.ts";
import { staticFiles } from "./static.ts";

const root = join(import.meta.dir, "..", "..");

/** Bodies of forms and API calls; images come in a later, separate limit. */
const largestBody = 1024 * 1024;

/** The one listener: health, each module's part of the API, the socket, static files, then the pages. */
export async function listener() {
  const files = staticFiles(join(root, "build", "client"));
  const page = await pages();
  return new Elysia({ serve: { maxRequestBodySize: largestBody }, websocket: socketOptions })
    .onRequest(async ({ request, set }) => {
      Object.assign(set.headers, securityHeaders);
      if (crossSite(request) && !isProviderCall(request)) {
        const { language } = await actorOf(request);
        return Response.json(refusalBody({ ok: false, code: "BAD_ORIGIN" }, language), { status: 403 });
      }
    })
    .onAfterHandle({ as: "global" }, async ({ responseValue, request, set }) => {
      if (!isRefusal(responseValue)) return;
      set.status = statusOf(responseValue.code);
      if (responseValue.retryAfterSeconds !== undefined) {
        set.headers["retry-after"] = String(responseValue.retryAfterSeconds);
      }
      const { language } = await actorOf(request);
      return refusalBody(responseValue, language);
    })
    .onError({ as: "global" }, answerError)
    .use(health)
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
}

/** The sandbox provider speaks to programs with a bearer token, never to a browser's cookie: no forgery to fear. */
function isProviderCall(request: Request): boolean {
  return new URL(request.url).pathname.startsWith("/sandbox/qpay/v2/");
}

/** React Router's handler over the built pages, each request with its visit. */
async function pages() {
  const build = (await import(join(root, "build", "server", "index.js"))) as ServerBuild;
  const handle = createRequestHandler(build, "production");
  const scripts = JSON.parse(readFileSync(join(root, "build", "scripts.json"), "utf8")) as Visit["scripts"];
  return async (request: Request, ip: string | undefined): Promise<Response> => {
    const actor = await actorOf(request, ip);
    const toast = readFlash(request);
    const theme = cookie(request, "midman-theme") === "dark" ? "dark" : "light";
    const context = new RouterContextProvider();
    context.set(visitContext, { actor, theme, toast, scripts });
    const response = await handle(request, context);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (toast !== null && isPage) response.headers.append("Set-Cookie", clearedFlash);
    return response;
  };
}
