import { isIPv6 } from "node:net";
import { bucket } from "#db/bucket";
import { now } from "#db/clock";
import { ipOf } from "#modules/identity";

/**
 * What one address may ask for in all, whatever it is: 1,000 requests at once, 100 a second for good. Whole neighbourhoods
 * share one mobile address, so it is far above what people do, and only keeps one machine from taking this one from
 * everybody else; what is dear has throttles of its own. In memory, for it comes before anything is looked up.
 */
const pace = bucket<string>(1_000, 10);

/** Zero when an address may ask on, else the seconds until it may. `ip` is the peer's address as the server knows it. */
export function tooFast(request: Request, ip: string | undefined): number {
  return pace.take(neighbourhood(ipOf(request, ip)), now());
}

/** Who has one IPv6 address has 2^64 of them: they count as one. */
function neighbourhood(ip: string): string {
  if (!isIPv6(ip)) return ip;
  // "::ffff:1.2.3.4" is an address of the other kind.
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = "", after] = ip.toLowerCase().split("%")[0]?.split("::") ?? [];
  const [head, tail] = [before, after ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const missing = after === undefined ? 0 : 8 - (head?.length ?? 0) - (tail?.length ?? 0);
  const groups = [...(head ?? []), ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
