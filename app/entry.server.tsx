import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { speculationPath } from "#app/server/files/speculation-rules";
import { redactPathForLog } from "#app/server/listener/refusal-log";
import { getVisit } from "#app/server/pages/page-context";
import { addressesOf } from "#app/server/pages/seo";
import { countUnreadElsewhere } from "#app/server/pages/unread-elsewhere";
import { describeVisit } from "#app/server/pages/visit-context";
import { findOverload } from "#db/client/transaction-turns";
import { log } from "#db/log";
import { isOutgoingHalted } from "#modules/escrow";
import { requireAdmin } from "#modules/identity";
import { VisitProvider } from "./ui/frame/visit.tsx";

/** No page ships the router's client, so no data is serialised for it; the patch of react-router reads this export. */
export const serverHandoff = false;

/**
 * Renders one page in a single pass, as a whole: no page streams late parts, and an error must become a status. An error thrown while
 * rendering goes to the router, which has it logged and renders its error boundary.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const addresses = status < 400 ? addressesOf(request) : null;
  // After the loaders: what the page shows has been read by now.
  const [unread, halted] = await Promise.all([
    countUnreadElsewhere(getVisit(loadContext).actor, new URL(request.url).pathname),
    isBackofficeHalted(request, loadContext),
  ]);
  const seen = { ...describeVisit(request, loadContext, addresses), unread, halted };
  const page = (
    <VisitProvider visit={seen}>
      <ServerRouter context={context} url={request.url} />
    </VisitProvider>
  );
  // `renderToString` omits the doctype, without which browsers render in quirks mode.
  const html = `<!DOCTYPE html>${renderToString(page)}`;
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  headers.set("Speculation-Rules", `"${speculationPath}"`);
  headers.set("Content-Language", getVisit(loadContext).actor.language);
  headers.append("Vary", "Cookie, Accept-Language");
  if (addresses === null || status >= 400) headers.set("X-Robots-Tag", "noindex");
  return new Response(html, { status, headers });
}

/** Logs what a loader or an action threw, under the request number that the page shows. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A method that a page does not support is the client's error; the response is 405.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) logPageFailure(error, request, context as RouterContextProvider);
};

function logPageFailure(error: unknown, request: Request, context: RouterContextProvider): void {
  const seen = getVisit(context);
  // One failure may arrive twice: from the loader, and again from rendering its page.
  if (seen.failure === error) return;
  seen.failure = error;
  // A metric counts overloads; a log line for each would add to the load.
  if (findOverload(error) !== undefined) return;
  const { requestId } = seen.actor;
  log().error({ err: error, path: redactPathForLog(request), requestId }, "page failed");
}

/** True while outgoing money is halted. Read once for every page of the back office, after its loader or action. */
async function isBackofficeHalted(request: Request, context: RouterContextProvider): Promise<boolean> {
  const { actor } = getVisit(context);
  const isBackoffice = /^\/admin(?:\/|$)/.test(new URL(request.url).pathname);
  return isBackoffice && requireAdmin(actor).ok && isOutgoingHalted();
}
