import { renderToReadableStream } from "react-dom/server";
import { type EntryContext, type RouterContextProvider, ServerRouter } from "react-router";
import { visit } from "#app/http/pages";
import { log } from "#db/log";
import { sandboxServes } from "#modules/payments";
import { Visiting, type VisitShown } from "./components/visit.tsx";

/** Renders one page. The whole page is awaited: no page of ours streams late parts, and an error must become a status. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  let answered = status;
  const page = (
    <Visiting visit={shown(request, loadContext)}>
      <ServerRouter context={context} url={request.url} />
    </Visiting>
  );
  const body = await renderToReadableStream(page, {
    signal: request.signal,
    onError(error) {
      answered = 500;
      log().error({ err: error, path: new URL(request.url).pathname }, "page failed");
    },
  });
  await body.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  return new Response(body, { status: answered, headers });
}

function shown(request: Request, context: RouterContextProvider): VisitShown {
  const { actor, theme, toast, scripts } = visit(context);
  const { pathname, search } = new URL(request.url);
  const { displayName, email, avatarInitials, isAdmin } = actor.kind === "user" ? actor : nobody;
  return {
    language: actor.language,
    theme,
    toast,
    path: `${pathname}${search}`,
    sandbox: sandboxServes(),
    enhance: scripts.enhance,
    person: actor.kind === "user" ? { displayName, email, avatarInitials, isAdmin } : null,
  };
}

const nobody = { displayName: "", email: "", avatarInitials: "", isAdmin: false };
