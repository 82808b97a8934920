import type { ReactNode } from "react";
import { Meta, Outlet, useMatches } from "react-router";
import { getTranslator } from "#locales";
import type { Route } from "./+types/root.ts";
import { BriefSandboxBanner } from "./ui/frame/brief-sandbox-banner.tsx";
import { ErrorCard } from "./ui/frame/error-card.tsx";
import { Footer } from "./ui/frame/footer.tsx";
import { HeadLinks } from "./ui/frame/head-links.tsx";
import { Header } from "./ui/frame/header.tsx";
import { TranslationProvider } from "./ui/frame/i18n.tsx";
import { SandboxBanner } from "./ui/frame/sandbox-banner.tsx";
import { SkipLink } from "./ui/frame/skip-link.tsx";
import { themeColors } from "./ui/frame/theme-colors.ts";
import { ToastRegion } from "./ui/frame/toast.tsx";
import { useVisit } from "./ui/frame/visit.tsx";
import app from "./ui/styles/app.css?url";
import backoffice from "./ui/styles/backoffice.css?url";
import front from "./ui/styles/front.css?url";

/** Tells the server where the stylesheets are: it may put a stylesheet's text into a page instead of its address. */
export const handle = { stylesheets: { app, backoffice, front } };

export function Layout({ children }: { children: ReactNode }) {
  const { language, theme, enhance, sandbox, person, path, toast, partsOnly } = useVisit();
  const fillsWindow = useWindowFilled();
  if (partsOnly) return <PartsLayout>{children}</PartsLayout>;
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
        {/* Painted once the composer, or a long line of an API call, has arrived: what is above or beside it would move as it comes. */}
        {fillsWindow && <link rel="expect" href="#composer" blocking="render" />}
        {path.startsWith("/developers/") && <link rel="expect" href="#end" blocking="render" />}
      </head>
      <body
        data-toasted={toast ? "" : undefined}
        className={`bg-page text-ink antialiased ${fillsWindow ? "room-window" : "flex min-h-screen supports-[height:100dvh]:min-h-dvh flex-col"}`}
      >
        <TranslationProvider t={getTranslator(language)} language={language}>
          <SkipLink />
          {sandbox && (fillsWindow ? <BriefSandboxBanner /> : <SandboxBanner />)}
          <Header person={person} path={path} theme={theme} />
          <ToastRegion toast={toast} />
          {children}
          {!fillsWindow && <Footer />}
          {path.startsWith("/developers/") && <i id="end" hidden />}
        </TranslationProvider>
      </body>
    </html>
  );
}

/** What a script takes from an answer: the page's own content and its toast. */
function PartsLayout({ children }: { children: ReactNode }) {
  const { language, toast } = useVisit();
  return (
    <html lang={language}>
      <body>
        <TranslationProvider t={getTranslator(language)} language={language}>
          <ToastRegion toast={toast} />
          {children}
        </TranslationProvider>
      </body>
    </html>
  );
}

/** Whether the page, unless it failed, fills the window by itself (a route's `handle.fillsWindow`): it then has no footer. */
function useWindowFilled(): boolean {
  return useMatches().some(
    ({ handle, loaderData }) =>
      loaderData !== undefined && typeof handle === "object" && handle !== null && "fillsWindow" in handle,
  );
}

function Look() {
  const { stylesheet, styles } = useVisit();
  if (styles === null) return <link rel="stylesheet" href={stylesheet} />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the built stylesheet; the content security policy names its digest
  return <style dangerouslySetInnerHTML={{ __html: styles }} />;
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorCard error={error} />;
}
