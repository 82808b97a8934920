import { getTranslator, hasText, type Language } from "#locales";

/**
 * A text of the catalogues, or its replacement in `own`, with its placeholders filled. A missing text or value throws instead of leaving a
 * gap.
 */
export function localText(
  language: Language,
  key: string,
  values: Record<string, unknown>,
  own: Record<string, string> = {},
): string {
  if (!hasText(key)) throw new Error(`mailer: no text ${key}`);
  const raw =
    own[key] ??
    (getTranslator(language) as (key: string, options: object) => string)(key, { skipInterpolation: true });
  return raw.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== "string") throw new Error(`mailer: ${key} needs ${name}`);
    return value;
  });
}
