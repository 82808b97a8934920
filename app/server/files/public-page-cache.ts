import { constants } from "node:zlib";
import { currentTime } from "#db/clock";
import { cookieName, isHttps, originOf } from "#modules/identity";
import { themeOf } from "../pages/preference-cookies.ts";
import { isPublicPage } from "../pages/seo.ts";
import { readCookies } from "../pages/toast-cookie.ts";
import { chooseEncoding, compressWithBrotli } from "./compress.ts";

type DrawPage = (request: Request, ip: string | undefined) => Promise<Response>;
/** A rendered page and, as soon as it is ready, its compressed form. */
type CachedPage = {
  until: number;
  html: string;
  headers: Headers;
  packed: Uint8Array<ArrayBuffer> | undefined;
};

/** The support page says whether support is open, so nobody sees a page older than this. */
const lifetimeMs = 60_000;
/** Cookies that a visitor may send without being identified by them. */
const preferenceCookies = ["midman-language", "midman-theme", "midman-look", "midman-bank"];

/**
 * Caches public pages for one minute instead of rendering them for each visitor. Each is compressed by Brotli at its highest quality, which
 * takes a tenth of a second and saves nine tenths of the bytes; visitors after the first get that form. Only requests that identify nobody
 * are cached: without any cookie but preferences, and for the page's bare address (apart from its language). `bringsStyles` tells whether
 * the response to a request contains its stylesheet.
 */
export function cachePublicPages(draw: DrawPage, bringsStyles: (request: Request) => boolean): DrawPage {
  const kept = new Map<string, CachedPage>();
  return async (request, ip) => {
    const key = cacheKeyOf(request, bringsStyles);
    if (key === undefined) return draw(request, ip);
    const known = kept.get(key);
    if (known !== undefined && currentTime().getTime() < known.until) return respondFromCache(request, known);
    const drawn = await draw(request, ip);
    if (drawn.status !== 200) return drawn;
    const page: CachedPage = {
      until: currentTime().getTime() + lifetimeMs,
      html: await drawn.text(),
      headers: new Headers(drawn.headers),
      packed: undefined,
    };
    kept.set(key, page);
    void compressPage(page);
    return respondFromCache(request, page);
  };
}

/**
 * The cache key: everything that a public page depends on, about a hundred combinations whatever clients send. Undefined for a personal
 * request and for one that does not only read.
 */
function cacheKeyOf(request: Request, bringsStyles: (request: Request) => boolean): string | undefined {
  if (!["GET", "HEAD"].includes(request.method) || !isPublicPage(request)) return undefined;
  const { pathname, search } = new URL(request.url);
  if (!/^(\?lang=(en|mn))?$/.test(search)) return undefined;
  const known = preferenceCookies.map((name) => cookieName(name));
  if (readCookies(request).some(([name]) => name !== "" && !known.includes(name))) return undefined;
  const look = [originOf(request).language, themeOf(request), bringsStyles(request), isHttps(request)];
  return `${pathname}${search} ${look}`;
}

function respondFromCache(request: Request, { html, headers, packed }: CachedPage): Response {
  if (packed === undefined || chooseEncoding(request) !== "br") return new Response(html, { headers });
  const own = new Headers(headers);
  own.append("Vary", "Accept-Encoding");
  own.set("Content-Encoding", "br");
  return new Response(packed, { headers: own });
}

async function compressPage(page: CachedPage): Promise<void> {
  page.packed = await compressWithBrotli(Buffer.from(page.html), constants.BROTLI_MAX_QUALITY);
}
