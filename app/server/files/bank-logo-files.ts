import { findBankLogo } from "#modules/payments";

/** The response with a bank's logo; undefined for every other address. Its name contains a hash, so browsers keep it for a year. */
export function respondWithBankLogo(request: Request): Response | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const picture = findBankLogo(new URL(request.url).pathname);
  if (picture === undefined) return undefined;
  return new Response(picture, {
    headers: { "Content-Type": "image/webp", "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
