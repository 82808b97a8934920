import { z } from "zod";
import { hasText } from "#locales";

/**
 * A toast that survives one redirect. Only a key of the catalogues and plain parameters travel in the cookie:
 * the text is looked up when shown, so a forged cookie can say nothing that Midman does not say itself.
 */
const toastSchema = z.object({
  kind: z.enum(["success", "error", "info"]),
  key: z
    .string()
    .regex(/^[\w.-]{1,80}$/)
    .refine(hasText),
  params: z.record(z.string(), z.union([z.string().max(200), z.number()])).optional(),
});

export type Toast = z.infer<typeof toastSchema>;

const name = "midman-flash";

/** The `Set-Cookie` value that leaves a toast for the next page; it lives one minute. */
export function flashCookie(toast: Toast): string {
  const value = Buffer.from(JSON.stringify(toast)).toString("base64url");
  return `${name}=${value}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`;
}

/** The `Set-Cookie` value that takes a shown toast away. */
export const clearedFlash = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

/** Reads the toast a request carries; null when there is none or it is not of our making. */
export function readFlash(request: Request): Toast | null {
  const value = cookie(request, name);
  if (value === undefined) return null;
  try {
    return toastSchema.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** One cookie of a request, undefined when absent. */
export function cookie(request: Request, wanted: string): string | undefined {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...rest] = part.trim().split("=");
    if (key === wanted) return rest.join("=");
  }
  return undefined;
}
