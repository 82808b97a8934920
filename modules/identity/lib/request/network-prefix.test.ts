import { expect, test } from "bun:test";
import { networkPrefixOf } from "./network-prefix.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["0.0.0.0", "0.0.0.0"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:0207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:0:1::7", "2001:db8:0:1"],
  ["2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd", "2001:db8:0:1"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8:0:2::1", "2001:db8:0:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
] as const)("%p counts as %p", (ip, counted) => {
  expect(networkPrefixOf(ip)).toBe(counted);
});
