/** bench:hand: what a person waits for in a room, from their press until it is painted. */
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { openRoom, pressInPlace, sendMessages } from "./hand/room-pages.ts";
import { roomOf } from "./room-length.ts";
import { startMidman } from "./support/midman.ts";
import { atMost, stayOn } from "./support/process.ts";
import { machine, median, percentile, range, table, verdict, writeSection } from "./support/results.ts";

const program = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const executablePath = existsSync(program) ? program : chromium.executablePath();
/** A short run presses less often, and writes nothing down. */
const short = process.argv.includes("--short");
const count = short ? 15 : 60;
/** There and back, as the targets say. */
const link = { offline: false, latency: 150, downloadThroughput: -1, uploadThroughput: -1 };
/** A phone's processor against the bench's. */
const slowness = 4;

atMost(580);
const about = machine();
await using server = await startMidman();
const room = await roomOf(server, 200);
const seller = { url: server.url + room.path, cookie: room.cookie };
const buyer = { ...seller, cookie: room.otherCookie };

const launch = () => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

// The own bubble waits for nobody. Its browser may use every core, as on a phone, where the process that paints has one of its own; only
// the page's own thread is slowed.
const [own, slowed] = await (async () => {
  await using phone = await launch();
  await using writer = await openRoom(phone, { ...seller, slowness });
  const sent = await sendMessages(writer.page, [], count);
  return [sent.map(({ pressed, painted }) => painted - pressed), writer.slowed] as const;
})();
console.info("own bubble", own, slowed);

stayOn(1);
const browser = await launch();

const other = await (async () => {
  await using writer = await openRoom(browser, seller);
  await using reader = await openRoom(browser, buyer);
  const sent = await sendMessages(writer.page, [reader.page], count);
  return sent.map(({ pressed, read: [painted = Number.NaN] }) => painted - pressed);
})();
console.info("other's bubble", other);

const inPlace = await (async () => {
  await using presser = await openRoom(browser, { ...seller, isWide: true });
  await presser.page.locator("#room-seats summary").first().click();
  await presser.cdp.send("Network.enable");
  await presser.cdp.send("Network.emulateNetworkConditions", link);
  return await pressInPlace(presser.page, "swap-roles", count);
})();
const version = browser.version();
await browser.close();

const rows = [
  ["key press to own bubble, processor slowed 4 ×", own, 50],
  ["press of one to the other's bubble, loopback", other, 150],
  ["trade action answered in place, 150 ms RTT", inPlace.map(({ ms }) => ms), 300],
] as const;
const text = [
  `${about} Chromium ${version}.`,
  `A room of 200 messages, ${count} presses each, in ms until the browser has painted the result. The processor was slowed ${slowed.toFixed(2)} × as
measured on the page before; the action is that of swapping the roles, answered by the parts of the page after its redirect, with ${median(inPlace.map(({ requests }) => requests))}
request. Server on core 0; for the own bubble the browser on both cores, otherwise on core 1.`,
  table(
    ["ms", "median", "p95", "lowest–highest"],
    rows.map(([what, ms]) => [
      what,
      median([...ms]).toFixed(0),
      percentile([...ms], 95).toFixed(0),
      range([...ms], 0),
    ]),
  ),
  table(
    ["p95", "measured", "target", ""],
    rows.map(([what, ms, target]) => verdict(what, percentile([...ms], 95), { atMost: target }, "ms", 0)),
  ),
].join("\n\n");
if (!short) writeSection("bench:hand", text);
console.log(text);
