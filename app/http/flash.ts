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

/**
 * The `Set-Cookie` value that leaves a toast for the next page; it lives one minute. Each toast has a cookie of its own, whose
 * name tells the later one: with one for all, a page that shows its toast in one tab would take away another tab's.
 */
export function flashCookie(toast: Toast): string {
  const value = Buffer.from(JSON.stringify(toast)).toString("base64url");
  return `${name}-${Bun.randomUUIDv7("hex")}=${value}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`;
}

/** The latest toast a request carries, null when there is none of our making; and what takes away all that it carries. */
export function readFlash(request: Request): { toast: Toast | null; cleared: string[] } {
  const carried = cookies(request).filter(([key]) => key.startsWith(`${name}-`));
  const latest = carried.sort(([a], [b]) => (a < b ? 1 : -1))[0];
  return {
    toast: latest === undefined ? null : unpacked(latest[1]),
    cleared: carried.map(([key]) => `${key}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`),
  };
}

function unpacked(value: string): Toast | null {
  try {
    return toastSchema.parse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** One cookie of a request, undefined when absent. */
export function cookie(request: Request, wanted: string): string | undefined {
  return cookies(request).find(([key]) => key === wanted)?.[1];
}

function cookies(request: Request): Array<[key: string, value: string]> {
  return (request.headers.get("cookie") ?? "").split(";").map((part) => {
    const [key = "", ...rest] = part.trim().split("=");
    return [key, rest.join("=")];
  });
}
