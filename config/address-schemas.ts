import { z } from "zod";

/** A URL with one of these protocols. */
export const urlSchema = (...protocols: string[]) =>
  z.url({ abort: true }).refine((value) => protocols.some((protocol) => value.startsWith(`${protocol}:`)), {
    message: `must start with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
  });
/** A URL that receives credentials or personal data: https, except to this machine. */
export const secureUrlSchema = urlSchema("http", "https").refine(
  (value) =>
    value.startsWith("https:") ||
    ["127.0.0.1", "localhost", "[::1]"].includes(URL.parse(value)?.hostname ?? ""),
  { message: "must start with https:// unless it is on this machine" },
);
