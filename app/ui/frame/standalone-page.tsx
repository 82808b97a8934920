import type { TFunction } from "i18next";
import type { Language } from "#format";
import { paths } from "../../paths.ts";
import { MidmanMark } from "../layout/midman-mark.tsx";
import { TranslationProvider } from "./i18n.tsx";
import { type PageStatus, PageStatusCard, pageHeadingOf, type UnsentForm } from "./page-status-card.tsx";

/**
 * A whole page that needs neither the router nor the database: for requests refused before a page is reached, for an outage, maintenance,
 * and a phone that is offline. `spoken` is one language, or both, one below the other.
 */
export function StandalonePage(props: {
  pageStatus: PageStatus;
  spoken: Array<{ language: Language; t: TFunction }>;
  theme: "light" | "dark";
  assets: { stylesheet: string; enhance: string };
  requestId?: string;
  unsent?: UnsentForm;
  signedInAs?: string;
}) {
  const [first] = props.spoken;
  if (first === undefined) throw new Error("A page speaks at least one language");
  return (
    <html lang={first.language} className={props.theme === "dark" ? "dark" : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={props.theme} />
        <meta name="robots" content="noindex" />
        <title>{first.t(pageHeadingOf(props.pageStatus))}</title>
        <link rel="stylesheet" href={props.assets.stylesheet} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <script type="module" src={props.assets.enhance} />
      </head>
      <body className="min-h-screen supports-[height:100dvh]:min-h-dvh bg-page text-ink antialiased">
        <header className="border-b border-line bg-card">
          <div aria-hidden="true" className="h-1 bg-khadag" />
          <div className="mx-auto flex max-w-6xl px-4 py-1.5">
            <a
              href={paths.landing}
              className="inline-flex min-h-11 items-center gap-2 text-xl font-extrabold tracking-tight text-ink no-underline"
            >
              <MidmanMark className="size-8 text-khadag" />
              {first.t("brand")}
            </a>
          </div>
        </header>
        <main
          id="main"
          data-told={props.pageStatus}
          className="mx-auto grid w-full max-w-md content-start gap-6 px-4 py-6 sm:py-10"
        >
          {props.spoken.map(({ language, t }) => (
            <div key={language} lang={language}>
              <TranslationProvider t={t} language={language}>
                <PageStatusCard
                  pageStatus={props.pageStatus}
                  {...(props.requestId !== undefined && { requestId: props.requestId })}
                  {...(props.unsent !== undefined && { unsent: props.unsent })}
                  {...(props.signedInAs !== undefined && { signedInAs: props.signedInAs })}
                />
              </TranslationProvider>
            </div>
          ))}
        </main>
      </body>
    </html>
  );
}
