import { Elysia } from "elysia";
import { publicUrl } from "#config";
import { supportedLanguages } from "#locales";
import { askedLanguage } from "#modules/identity";
import { paths } from "../../paths.ts";

/** Pages that search engines may list; every other page is marked `noindex`. */
const publicPages: readonly string[] = [
  paths.landing,
  paths.terms,
  paths.privacy,
  paths.securityGuide,
  paths.faq,
  paths.support,
  paths.proof,
];

/** Paths that robots need not request. Pages below them are marked `noindex` as well. */
const robotsDisallowedPaths = [
  "/api/",
  "/ws",
  paths.admin,
  paths.chat,
  paths.history,
  "/transactions/",
  paths.profile,
  paths.settings,
  paths.resetPassword,
  paths.changePassword,
  paths.verifyEmail,
  paths.verifyForm,
  paths.logout,
  paths.preferences,
  paths.design,
  "/sandbox/",
  paths.away,
];

/** The absolute addresses of a public page. */
export interface PageAddresses {
  canonical: string;
  /** One per language, and `x-default`, which uses the browser's language. */
  alternates: Array<{ language: string; href: string }>;
}

/** True for a public page, which search engines may list. */
export function isPublicPage(request: Request): boolean {
  return publicPages.includes(new URL(request.url).pathname);
}

/** A public page's addresses in each language; null for a page that is not for search engines. */
export function addressesOf(request: Request): PageAddresses | null {
  if (!isPublicPage(request)) return null;
  const { pathname } = new URL(request.url);
  const asked = askedLanguage(request);
  return { canonical: publicAddress(pathname, asked), alternates: alternateLinks(pathname) };
}

function alternateLinks(path: string): PageAddresses["alternates"] {
  const spoken = supportedLanguages.map((language) => ({ language, href: publicAddress(path, language) }));
  return [...spoken, { language: "x-default", href: publicAddress(path) }];
}

function publicAddress(path: string, language?: string): string {
  return `${publicUrl()}${path}${language === undefined ? "" : `?lang=${language}`}`;
}

/** Renders the sitemap (https://www.sitemaps.org/protocol.html), with each page's other languages in Google's notation. */
function renderSitemap(): string {
  const urls = publicPages.flatMap((path) => {
    const links = alternateLinks(path).map(
      ({ language, href }) =>
        `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(href)}"/>`,
    );
    return alternateLinks(path).map(
      ({ href }) => `<url><loc>${escapeXml(href)}</loc>${links.join("")}</url>`,
    );
  });
  const spaces =
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${urls.join("\n")}\n</urlset>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function renderRobotsFile(): string {
  const rules = robotsDisallowedPaths.map((path) => `Disallow: ${path}`);
  return `User-agent: *\n${rules.join("\n")}\n\nSitemap: ${publicUrl()}/sitemap.xml\n`;
}

const cacheHeaders = { "Cache-Control": "public, max-age=3600" };

/** `/sitemap.xml` and `/robots.txt`. */
export const seoRoutes = new Elysia({ name: "seo" })
  .get(
    "/sitemap.xml",
    () =>
      new Response(renderSitemap(), {
        headers: { ...cacheHeaders, "Content-Type": "application/xml; charset=utf-8" },
      }),
  )
  .get(
    "/robots.txt",
    () =>
      new Response(renderRobotsFile(), {
        headers: { ...cacheHeaders, "Content-Type": "text/plain; charset=utf-8" },
      }),
  );
