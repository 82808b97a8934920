import { isIPv6 } from "node:net";

/**
 * What an address counts as wherever tries are counted by it: who has one IPv6 address has 2^64 of them, so these are one (`/64`). The
 * log keeps the whole address.
 */
export function networkPrefixOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = groupsOf(ip);
  // "::ffff:1.2.3.4" is an address of the other kind.
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return groups.slice(0, 4).join(":");
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");
}

/** All eight, without leading zeros: an URL writes an address in its one short form. */
function groupsOf(ip: string): string[] {
  const short = new URL(`http://[${ip.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = [], tail] = short.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  if (tail === undefined) return head;
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
