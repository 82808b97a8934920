import { isIPv6 } from "node:net";

/**
 * The network that an address counts as in throttles: one customer has 2^64 IPv6 addresses, so a whole `/64` counts as one. The log keeps
 * the full address.
 */
export function networkPrefixOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  // "::ffff:1.2.3.4" is an IPv4 address.
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return groups.slice(0, 4).join(":");
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");
}

/** All eight groups, without leading zeros: a URL writes every address in one canonical short form. */
function groupsOf(ip: string): string[] {
  const short = new URL(`http://[${ip.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = [], tail] = short.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  if (tail === undefined) return head;
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
