import { renderToStaticMarkup } from "react-dom/server";
import { type ErrorCode, getTranslator, type Language } from "#locales";
import { originOf } from "#modules/identity";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import { type PageStatus, pageStatusOf, type UnsentForm } from "../../ui/frame/page-status-card.tsx";
import { StandalonePage } from "../../ui/frame/standalone-page.tsx";
import { ToastRegion } from "../../ui/frame/toast.tsx";
import type { Assets } from "../pages/built-assets.ts";
import { themeOf } from "../pages/preference-cookies.ts";
import { refusalBody, statusOf, type VerbRefusal } from "../pages/refusal-responses.ts";

/** Retry-After for browsers, crawlers and the payment provider, in seconds. */
const retryAfterByCode = { MAINTENANCE: 300, UNAVAILABLE: 30 } as const;

const pageStatusByCode: Record<string, PageStatus> = {
  BAD_ORIGIN: "badOrigin",
  BAD_REQUEST: 400,
  BODY_TOO_COMPLEX: 400,
  BODY_TOO_SLOW: 400,
  LENGTH_REQUIRED: 400,
  MAINTENANCE: "maintenance",
  NOT_FOUND: 404,
  OTHER_PERSON: "otherPerson",
  OVERLOADED: "overloaded",
  HTTPS_REQUIRED: 403,
  PAYLOAD_TOO_LARGE: 413,
  THROTTLED: 429,
  UNAVAILABLE: 503,
};

/** True if a browser requests a page; false if a program requests data. */
function wantsPage(request: Request): boolean {
  if (new URL(request.url).pathname.startsWith("/api/")) return false;
  return /\btext\/html\b/.test(request.headers.get("accept") ?? "");
}

/**
 * Answers a request that reaches no page and no verb: with a page for a browser, in the API's shape for a program. Nothing here reads the
 * database; the language comes from the address, the cookie or the browser. `unsent` is the posted form if it was not processed and can be
 * sent again. `signedInAs` is the name of the person who is signed in, if the form is another's.
 */
export function refuseRequest(
  request: Request,
  assets: Assets,
  refusal: VerbRefusal & { missing?: PageStatus; signedInAs?: string },
  unsent?: UnsentForm,
): Response {
  const { language, requestId } = originOf(request);
  const headers = new Headers({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  const wait = refusal.retryAfterSeconds ?? retryAfterByCode[refusal.code as keyof typeof retryAfterByCode];
  if (wait !== undefined) headers.set("Retry-After", String(wait));
  // The rest of the body is not awaited.
  if (refusal.code === "BODY_TOO_SLOW") headers.set("Connection", "close");
  const status = statusOf(refusal.code);
  if (!wantsPage(request)) return Response.json(refusalBody(refusal, language), { status, headers });
  const pageStatus = refusal.missing ?? pageStatusByCode[refusal.code] ?? 500;
  headers.set("Content-Language", language);
  headers.set("Vary", "Cookie, Accept-Language");
  const html = renderStandalonePage(pageStatus, [language], assets, {
    theme: themeOf(request),
    ...(pageStatus === 500 && { requestId }),
    ...(unsent !== undefined && { unsent }),
    ...(refusal.signedInAs !== undefined && { signedInAs: refusal.signedInAs }),
  });
  return htmlResponse(html, status, headers);
}

/** Refuses a form that a script has posted: the answer has a toast and no part of the page, so that everything on it stays as it is. */
export function refuseInPlace(request: Request, code: ErrorCode): Response {
  const { language } = originOf(request);
  const headers = new Headers({ "Cache-Control": "no-store", "Content-Language": language });
  const html = renderToStaticMarkup(
    <html lang={language}>
      <body>
        <TranslationProvider t={getTranslator(language)} language={language}>
          <ToastRegion toast={{ kind: "error", key: `errors.${code}` }} />
        </TranslationProvider>
      </body>
    </html>,
  );
  return htmlResponse(`<!DOCTYPE html>${html}`, statusOf(code), headers);
}

/** Answers a request for a file that does not exist; `missing` is the reason that `notFound` gave. */
export function refuseMissing(request: Request, assets: Assets, missing: string): Response {
  return refuseRequest(request, assets, {
    ok: false,
    code: "NOT_FOUND",
    missing: pageStatusOf(statusOf("NOT_FOUND"), missing),
  });
}

/** The page that a phone stores for when it is offline: in both languages, since it belongs to nobody. */
export function offlinePage(assets: Assets): () => Response {
  const html = renderStandalonePage("offline", ["mn", "en"], assets, { theme: "light" });
  return () =>
    htmlResponse(
      html,
      200,
      new Headers({ "Cache-Control": "no-cache", "Content-Language": "mn, en", "X-Robots-Tag": "noindex" }),
    );
}

function htmlResponse(html: string, status: number, headers: Headers): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(html, { status, headers });
}

function renderStandalonePage(
  pageStatus: PageStatus,
  languages: Language[],
  assets: Assets,
  more: { theme: "light" | "dark"; requestId?: string; unsent?: UnsentForm; signedInAs?: string },
): string {
  const spoken = languages.map((language) => ({ language, t: getTranslator(language) }));
  const page = <StandalonePage pageStatus={pageStatus} spoken={spoken} assets={assets} {...more} />;
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}
