import type { ReactNode } from "react";
import { Meta, Outlet } from "react-router";
import { translator } from "#locales";
import type { Route } from "./+types/root.ts";
import app from "./app.css?url";
import { ErrorCard } from "./components/error-card.tsx";
import { Footer } from "./components/footer.tsx";
import { HeadLinks } from "./components/head-links.tsx";
import { Header } from "./components/header.tsx";
import { Translated } from "./components/i18n.tsx";
import { SandboxBanner } from "./components/sandbox-banner.tsx";
import { SkipLink } from "./components/skip-link.tsx";
import { themeColors } from "./components/theme-colors.ts";
import { ToastRegion } from "./components/toast.tsx";
import { useVisit } from "./components/visit.tsx";
import desk from "./desk.css?url";
import front from "./front.css?url";

/** Where the server finds the stylesheets: it may put the text of one into a page instead of its address. */
export const handle = { stylesheets: { app, desk, front } };

export function Layout({ children }: { children: ReactNode }) {
  const { language, theme, enhance, sandbox, person, path, toast } = useVisit();
  return (
    <html lang={language} className={theme === "dark" ? "dark" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={themeColors[theme]} />
        <Meta />
        <HeadLinks />
        <Look />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="manifest" href={`/manifest.webmanifest?lang=${language}`} />
        <script type="module" src={enhance} />
      </head>
      <body className="flex min-h-dvh flex-col bg-page text-ink antialiased">
        <Translated t={translator(language)} language={language}>
          <SkipLink />
          {sandbox && <SandboxBanner />}
          <Header person={person} path={path} theme={theme} />
          <ToastRegion toast={toast} />
          {children}
          <Footer />
        </Translated>
      </body>
    </html>
  );
}

function Look() {
  const { stylesheet, styles } = useVisit();
  if (styles === null) return <link rel="stylesheet" href={stylesheet} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, as it was built; the policy names its digest
  return <style dangerouslySetInnerHTML={{ __html: styles }} />;
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorCard error={error} />;
}
