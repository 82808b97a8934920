import type { ReactNode } from "react";
import {
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  type MiddlewareFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from "react-router";
import { visitContext } from "#app/server/pages/visit-context";
import { getTranslator } from "#locales";
import { actorOf } from "#modules/identity";
import { isSandboxServing } from "#modules/payments";
import { handle } from "../../../../app/root.tsx";
import { Header } from "../../../../app/ui/frame/header.tsx";
import { TranslationProvider } from "../../../../app/ui/frame/i18n.tsx";
import { SandboxBanner } from "../../../../app/ui/frame/sandbox-banner.tsx";
import { ToastRegion } from "../../../../app/ui/frame/toast.tsx";
import { VisitProvider, type VisitShown } from "../../../../app/ui/frame/visit.tsx";

/** The stylesheet as the stock way has it: linked. */
export const links: LinksFunction = () => [{ rel: "stylesheet", href: handle.stylesheets.app }];

/** What Midman's listener does before its pages: who is asking, read from the database. */
export const middleware: MiddlewareFunction<Response>[] = [
  async ({ request, context }, next) => {
    const sheet = { stylesheet: "", styles: "" };
    const scripts = {
      islands: "",
      enhance: "",
      backoffice: "",
      passkey: "",
      inPlace: "",
      rooms: "",
      ...sheet,
      front: sheet,
      back: sheet,
    };
    const actor = await actorOf(request);
    const look = { stylesheet: "", styles: null, policy: "" };
    const visit = { theme: "light", toast: null, look, partsOnly: false, failure: undefined } as const;
    context.set(visitContext, { actor, scripts, ...visit });
    return await next();
  },
];

/** The visit, which a browser that hydrates the whole page must have too: so it comes from a loader. */
export function loader({ context, request }: LoaderFunctionArgs): VisitShown {
  const { actor, theme, toast, scripts } = context.get(visitContext);
  const { pathname, search } = new URL(request.url);
  if (actor.kind !== "user") throw new Response(null, { status: 401 });
  const { language, requestId, userId, displayName, email, avatarInitials, isAdmin } = actor;
  const person = { userId, displayName, email, avatarInitials, isAdmin };
  const { enhance, backoffice } = scripts;
  const path = `${pathname}${search}`;
  const sandbox = isSandboxServing();
  const passkey = { script: "", origin: "" };
  const device = { inApp: null, lastBank: null };
  const stylesheet = handle.stylesheets.app;
  const bare = {
    device,
    addresses: null,
    unread: 0,
    halted: false,
    partsOnly: false,
    passkey,
    inPlace: "",
    stylesheet,
    styles: null,
  };
  return { language, theme, toast, path, sandbox, enhance, backoffice, person, requestId, ...bare };
}

/** Midman's layout with React Router's stock hydration in place of its own scripts. */
export function Layout({ children }: { children: ReactNode }) {
  const visit = useRouteLoaderData<typeof loader>("root");
  if (visit === undefined) return <html lang="en">{children}</html>;
  const { language, theme, toast, path, sandbox, person } = visit;
  return (
    <html lang={language} className={theme === "dark" ? "dark" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme} />
        <Meta />
        <Links />
      </head>
      <body className="min-h-dvh bg-page text-ink antialiased">
        <VisitProvider visit={visit}>
          <TranslationProvider t={getTranslator(language)} language={language}>
            {sandbox && <SandboxBanner />}
            <Header person={person} path={path} theme={theme} />
            {children}
            <ToastRegion toast={toast} />
          </TranslationProvider>
        </VisitProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}
