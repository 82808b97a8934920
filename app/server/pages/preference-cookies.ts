import type { Language } from "#locales";
import { cookieGuard, cookieName } from "#modules/identity";
import { readCookie } from "./toast-cookie.ts";

const yearSeconds = 31_536_000;

/** Chosen by the person and stored in their browser for a year; light is the default. */
export type Theme = "light" | "dark";

/** The `Set-Cookie` value that stores a language. */
export function languageCookie(language: Language): string {
  return preferenceCookie("midman-language", language);
}

/** The `Set-Cookie` value that stores a theme. */
export function themeCookie(theme: Theme): string {
  return preferenceCookie("midman-theme", theme);
}

/** The theme of a request; light unless dark was chosen. */
export function themeOf(request: Request): Theme {
  return readCookie(request, cookieName("midman-theme")) === "dark" ? "dark" : "light";
}

/** A path without the language parameter, so that a choice made on that page takes effect. */
export function withoutLanguage(path: string): string {
  const [address = "", hash] = path.split("#");
  const [bare = "", query = ""] = address.split("?");
  const rest = query.split("&").filter((part) => part !== "" && !/^lang(=|$)/.test(part));
  return `${bare}${rest.length > 0 ? `?${rest.join("&")}` : ""}${hash === undefined ? "" : `#${hash}`}`;
}

/** The `Set-Cookie` value that stores a non-secret value for a year. */
export function preferenceCookie(name: string, value: string): string {
  return `${cookieName(name)}=${value}; Path=/; Max-Age=${yearSeconds}; ${cookieGuard()}`;
}
