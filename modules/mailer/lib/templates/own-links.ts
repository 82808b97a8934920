import { publicUrl } from "#config";

/** Whether a link stays with us: a path of ours, or a whole address under `publicUrl()`. */
export function isOwnLink(link: string): boolean {
  return resolveOwnLink(link) !== undefined;
}

/** The whole address of a link of ours; undefined when it leads elsewhere. */
export function resolveOwnLink(link: string): string | undefined {
  const base = new URL(publicUrl());
  // A browser reads "//host" and "/\host" as another site.
  const candidate = /^\/(?![/\\])/.test(link) ? `${publicUrl()}${link}` : link;
  const parsed = URL.parse(candidate);
  return parsed !== null && parsed.origin === base.origin && parsed.username === "" ? parsed.href : undefined;
}
