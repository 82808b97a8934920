import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { isUnavailable } from "#db/client/connection-errors";
import { findOverload } from "#db/client/transaction-turns";
import { actorOf, askedLanguage } from "#modules/identity";
import { cachePublicPages } from "../files/public-page-cache.ts";
import { refusalForOutage } from "../listener/error-responses.ts";
import { logRefusedRequest, refusalCodeOf } from "../listener/refusal-log.ts";
import { refuseInPlace, refuseMissing, refuseRequest } from "../listener/standalone-pages.tsx";
import { keepUnsentForm } from "../listener/unsent-form.ts";
import type { Assets } from "./built-assets.ts";
import { answerInPlace } from "./in-place-answers.ts";
import { isAnothersForm } from "./page-reader.ts";
import { createStylesheetChooser } from "./page-stylesheet.ts";
import { languageCookie, themeOf } from "./preference-cookies.ts";
import { readToast } from "./toast-cookie.ts";
import { type Visit, visitContext } from "./visit-context.ts";

/**
 * React Router's handler for the built pages; each request gets its visit. Saves the language that an address asks for. If the database is
 * unavailable, or a page fails before it can be rendered, a standalone page is the response.
 */
export function pageHandler({ build, assets }: { build: ServerBuild; assets: Assets }) {
  const handle = createRequestHandler(build, "production");
  const look = createStylesheetChooser(assets);
  const draw = async (request: Request, ip: string | undefined, partsOnly: boolean): Promise<Response> => {
    if (isRouterDataRequest(request)) return refuseRequest(request, assets, { ok: false, code: "NOT_FOUND" });
    const flash = readToast(request);
    const visit: Visit = {
      actor: await actorOf(request, ip),
      theme: themeOf(request),
      toast: flash.toast,
      scripts: assets,
      // The page that posts in place has its stylesheet.
      look: partsOnly ? { ...look.of(request), styles: null } : look.of(request),
      partsOnly,
      failure: undefined,
    };
    const unsent = keepUnsentForm(request);
    const { actor } = visit;
    if (await isAnothersForm(request, actor)) {
      await logRefusedRequest(request, "OTHER_PERSON", ip);
      if (partsOnly || actor.kind !== "user") return refuseInPlace(request, "OTHER_PERSON");
      const refusal = { ok: false, code: "OTHER_PERSON", signedInAs: actor.displayName } as const;
      return refuseRequest(request, assets, refusal, await unsent());
    }
    const context = new RouterContextProvider();
    context.set(visitContext, visit);
    const response = await handle(request.method === "HEAD" ? toGetRequest(request) : request, context);
    if (findOverload(visit.failure) !== undefined)
      return refuseRequest(request, assets, refusalForOutage(visit.failure), await unsent());
    if (isUnavailable(visit.failure)) return refuseRequest(request, assets, refusalForOutage(visit.failure));
    const refusal = refusalCodeOf(response);
    if (refusal !== undefined) await logRefusedRequest(request, refusal, ip);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (response.status === 500 && !isPage)
      return refuseRequest(request, assets, { ok: false, code: "SERVER_ERROR" });
    // A file that does not exist: the router renders pages only.
    if (response.status === 404 && !isPage) return refuseMissing(request, assets, response.statusText);
    // An email preview has its own policy and does not use the page's stylesheet.
    const ownPolicy = response.headers.has("Content-Security-Policy");
    if (visit.look.styles !== null && isPage && !ownPolicy) look.bring(response.headers, visit.look);
    const onward = response.headers.get("location");
    const toasts = onward !== null ? flash.takenTo(onward) : isPage ? flash.cleared : [];
    for (const cookie of toasts) response.headers.append("Set-Cookie", cookie);
    // Every other response from a page's address is personal, such as a redirect or a file.
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    const language = askedLanguage(request);
    if (language !== undefined) response.headers.append("Set-Cookie", languageCookie(language));
    return response;
  };
  const answer = (request: Request, ip: string | undefined) =>
    answerInPlace(request, (wanted, partsOnly) => draw(wanted, ip, partsOnly));
  return cachePublicPages(answer, (request) => look.of(request).styles !== null);
}

/**
 * Addresses from which the router's own client reads data. No page ships that client, and here they would be a second entry point without
 * the headers of pages.
 */
function isRouterDataRequest(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.endsWith(".data") || pathname === "/__manifest";
}

/** The router renders nothing for HEAD. Rendered as GET, the response has the same headers, and its body is dropped. */
function toGetRequest(request: Request): Request {
  return new Request(request.url, { headers: request.headers, signal: request.signal });
}
