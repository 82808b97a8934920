import type { ReactNode } from "react";
import { Links, Meta, Outlet, useRouteLoaderData } from "react-router";
import { config } from "#config";
import { translator } from "#locales";
import type { Route } from "./+types/root.ts";
import stylesheet from "./app.css?url";
import { ErrorCard } from "./components/error-card.tsx";
import { Header } from "./components/header.tsx";
import { Translated } from "./components/i18n.tsx";
import { SandboxBanner } from "./components/sandbox-banner.tsx";
import { ToastRegion } from "./components/toast.tsx";
import { visit } from "./http/pages.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

/** What every page shows around its own content. */
export function loader({ context, request }: Route.LoaderArgs) {
  const { actor, theme, toast, scripts } = visit(context);
  const url = new URL(request.url);
  return {
    language: actor.language,
    theme,
    toast,
    scripts,
    path: `${url.pathname}${url.search}`,
    sandbox: config().ALLOW_SANDBOX && config().QPAY_BASE_URL === undefined,
    person:
      actor.kind === "user"
        ? {
            displayName: actor.displayName,
            email: actor.email,
            avatarInitials: actor.avatarInitials,
            isAdmin: actor.isAdmin,
          }
        : null,
  };
}

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
        {page && <script type="module" src={page.scripts.enhance} />}
      </head>
      <body className="min-h-dvh bg-page text-ink antialiased">
        <Translated t={translator(language)} language={language}>
          {page?.sandbox && <SandboxBanner />}
          <Header person={page?.person ?? null} path={page?.path ?? "/"} theme={page?.theme ?? "light"} />
          {children}
          <ToastRegion toast={page?.toast ?? null} />
        </Translated>
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorCard error={error} />;
}
