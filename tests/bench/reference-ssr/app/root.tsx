import type { ReactNode } from "react";
import {
  Links,
  Meta,
  type MiddlewareFunction,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from "react-router";
import { translator } from "#locales";
import { actorOf } from "#modules/identity";
import { Header } from "../../../../app/components/header.tsx";
import { Translated } from "../../../../app/components/i18n.tsx";
import { SandboxBanner } from "../../../../app/components/sandbox-banner.tsx";
import { ToastRegion } from "../../../../app/components/toast.tsx";
import { visitContext } from "../../../../app/http/context.ts";
import type { loader } from "../../../../app/root.tsx";

export { links, loader } from "../../../../app/root.tsx";

/** What Midman's listener does before its pages: who is asking, read from the database. */
export const middleware: MiddlewareFunction<Response>[] = [
  async ({ request, context }, next) => {
    const scripts = { islands: "", enhance: "" };
    context.set(visitContext, { actor: await actorOf(request), theme: "light", toast: null, scripts });
    return await next();
  },
];

/** Midman's layout with React Router's stock hydration in place of its own scripts. */
export function Layout({ children }: { children: ReactNode }) {
  const page = useRouteLoaderData<typeof loader>("root");
  const language = page?.language ?? "mn";
  return (
    <html lang={language} className={page?.theme === "dark" ? "dark" : ""}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={page?.theme ?? "light"} />
        <Meta />
        <Links />
      </head>
      <body className="min-h-dvh bg-page text-ink antialiased">
        <Translated t={translator(language)} language={language}>
          {page?.sandbox && <SandboxBanner />}
          <Header person={page?.person ?? null} path={page?.path ?? "/"} theme={page?.theme ?? "light"} />
          {children}
          <ToastRegion toast={page?.toast ?? null} />
        </Translated>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}
