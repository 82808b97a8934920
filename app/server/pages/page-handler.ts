import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { isUnavailable } from "#db/client/connection-errors";
import { findOverload } from "#db/client/transaction-turns";
import { actorOf, askedLanguage } from "#modules/identity";
import { cachePublicPages } from "../files/public-page-cache.ts";
import { refusalForOutage } from "../listener/error-responses.ts";
import { logRefusedRequest, refusalCodeOf } from "../listener/refusal-log.ts";
import { refuseRequest } from "../listener/standalone-pages.tsx";
import { keepUnsentForm } from "../listener/unsent-form.ts";
import type { Assets } from "./built-assets.ts";
import { createStylesheetChooser } from "./page-stylesheet.ts";
import { languageCookie, themeOf } from "./preference-cookies.ts";
import { readToast } from "./toast-cookie.ts";
import { type Visit, visitContext } from "./visit-context.ts";

/**
 * React Router's handler over the built pages, each request with its visit. A language that the address asks for is
 * kept. Where the database is away, or a page fails so early that it cannot be drawn, a page that needs neither answers.
 */
export function pageHandler({ build, assets }: { build: ServerBuild; assets: Assets }) {
  const handle = createRequestHandler(build, "production");
  const look = createStylesheetChooser(assets);
  const draw = async (request: Request, ip: string | undefined): Promise<Response> => {
    if (isRouterDataRequest(request)) return refuseRequest(request, assets, { ok: false, code: "NOT_FOUND" });
    const flash = readToast(request);
    const visit: Visit = {
      actor: await actorOf(request, ip),
      theme: themeOf(request),
      toast: flash.toast,
      scripts: assets,
      look: look.of(request),
      failure: undefined,
    };
    const context = new RouterContextProvider();
    context.set(visitContext, visit);
    const unsent = keepUnsentForm(request);
    const response = await handle(request.method === "HEAD" ? toGetRequest(request) : request, context);
    if (findOverload(visit.failure) !== undefined)
      return refuseRequest(request, assets, refusalForOutage(visit.failure), await unsent());
    if (isUnavailable(visit.failure)) return refuseRequest(request, assets, refusalForOutage(visit.failure));
    const refusal = refusalCodeOf(response);
    if (refusal !== undefined) await logRefusedRequest(request, refusal, ip);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (response.status === 500 && !isPage)
      return refuseRequest(request, assets, { ok: false, code: "SERVER_ERROR" });
    // A mail that is looked at has a policy of its own, and no style of ours.
    const ownPolicy = response.headers.has("Content-Security-Policy");
    if (visit.look.styles !== null && isPage && !ownPolicy) look.bring(response.headers, visit.look);
    const onward = response.headers.get("location");
    const toasts = onward !== null ? flash.takenTo(onward) : isPage ? flash.cleared : [];
    for (const cookie of toasts) response.headers.append("Set-Cookie", cookie);
    // Whatever a page's address answers is somebody's: a redirect, a file.
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    const language = askedLanguage(request);
    if (language !== undefined) response.headers.append("Set-Cookie", languageCookie(language));
    return response;
  };
  return cachePublicPages(draw, (request) => look.of(request).styles !== null);
}

/**
 * The addresses from which the router's own client reads bare data. No page ships it, and here they would be a second way
 * to everything, without the headers of pages.
 */
function isRouterDataRequest(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.endsWith(".data") || pathname === "/__manifest";
}

/** The router draws nothing for HEAD; drawn as for GET, the answer's headers are the same, and its body is left away. */
function toGetRequest(request: Request): Request {
  return new Request(request.url, { headers: request.headers, signal: request.signal });
}
