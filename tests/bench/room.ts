/** bench:room: a long room beside a short one, and scrolling through a long one on a slow phone. */
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { costsOf, ratios, roomOf } from "./room-length.ts";
import { scrollThrough } from "./room-scroll.ts";
import { startMidman } from "./support/midman.ts";
import { atMost } from "./support/process.ts";
import { machine, median, range, table, verdict, writeSection } from "./support/results.ts";

const program = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
const executablePath = existsSync(program) ? program : chromium.executablePath();
/** A short run looks at less, and writes nothing down. */
const short = process.argv.includes("--short");
const rounds = short ? 2 : 5;
const pages = short ? 10 : 60;
const wanted = short ? 250 : 2_000;

atMost(short ? 120 : 540);
const about = machine();
await using server = await startMidman();
const rooms = [await roomOf(server, 20), await roomOf(server, 20_000)];
const costs = await costsOf(server, rooms, { rounds, pages });
const ratio = ratios(costs);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const { path, cookie } = rooms[1] ?? { path: "", cookie: "" };
const scrolled = await scrollThrough(browser, { url: server.url + path, cookie, wanted });
const version = browser.version();
await browser.close();

const worst = Math.max(0, ...scrolled.tasks);
const text = [
  `${about} Chromium ${version}.`,
  `\`GET /chat/{id}\` as its seller, packed with Brotli; ${rounds} rounds of ${pages} pages, the two in turn. Processor time is the
server's own, on core 0.`,
  table(
    ["messages", "bytes over the wire", "server CPU-µs a page", "lowest–highest round"],
    rooms.map(({ count }, at) => {
      const { bytes = 0, cpuMicros = [] } = costs[at] ?? {};
      return [count.toLocaleString("en-US"), bytes, median(cpuMicros).toFixed(0), range(cpuMicros, 0)];
    }),
  ),
  table(
    ["ratio", "measured", "target", ""],
    [
      verdict("bytes: 20,000 messages ÷ 20", ratio.bytes, { atMost: 1.1 }),
      verdict("server's time: 20,000 messages ÷ 20", ratio.cpu, { atMost: 1.1 }),
    ],
  ),
  `Scrolling up by the wheel, as fast as a phone lets a thumb fling, through ${scrolled.messages.toLocaleString("en-US")} messages and down again, a phone's window and the processor slowed
4 ×, in ${scrolled.seconds.toFixed(0)} s: ${scrolled.tasks.length} tasks over 50 ms, the longest ${worst === 0 ? "under 50" : worst.toFixed(0)} ms (target: none, ${scrolled.tasks.length === 0 ? "met" : "**not met**"}).`,
].join("\n\n");
if (!short) writeSection("bench:room", text);
console.log(text);
