import { publicUrl } from "#config";

/** True if a link leads to Midman: a path, or an absolute URL under `publicUrl()`. */
export function isOwnLink(link: string): boolean {
  return resolveOwnLink(link) !== undefined;
}

/** The absolute URL of a link to Midman; undefined when it leads elsewhere. */
export function resolveOwnLink(link: string): string | undefined {
  const base = new URL(publicUrl());
  // A browser reads "//host" and "/\host" as another site.
  const candidate = /^\/(?![/\\])/.test(link) ? `${publicUrl()}${link}` : link;
  const parsed = URL.parse(candidate);
  return parsed !== null && parsed.origin === base.origin && parsed.username === "" ? parsed.href : undefined;
}
