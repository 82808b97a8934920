/** bench:room: a long room beside a short one, and scrolling through a long one on a slow phone. */
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { costsOf, ratios, roomOf } from "./room-length.ts";
import { type Scrolled, scrollThrough, speeds } from "./room-scroll.ts";
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
const rooms = [await roomOf(server, 200), await roomOf(server, 20_000)];
const costs = await costsOf(server, rooms, { rounds, pages });
const ratio = ratios(costs);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const { path, cookie } = rooms[1] ?? { path: "", cookie: "" };
const visit = { url: server.url + path, cookie, wanted };
const looking = await scrollThrough(browser, { ...visit, speed: speeds.looking });
const flinging = await scrollThrough(browser, { ...visit, speed: speeds.flinging });
const version = browser.version();
await browser.close();

const tasksIn = ({ tasks, seconds }: Scrolled) =>
  `${tasks.length} ${tasks.length === 1 ? "task" : "tasks"} over 50 ms in ${seconds.toFixed(0)} s${tasks.length === 0 ? "" : `, the longest ${Math.max(...tasks).toFixed(0)} ms`}`;
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
      verdict("bytes: 20,000 messages ÷ 200", ratio.bytes, { atMost: 1.1 }),
      verdict("server's time: 20,000 messages ÷ 200", ratio.cpu, { atMost: 1.1 }),
    ],
  ),
  `Scrolling by the wheel up through ${looking.messages.toLocaleString("en-US")} messages and down again, a phone's window and the processor slowed 4 ×
(as measured on the page before each: ${looking.slowed.toFixed(2)} × and ${flinging.slowed.toFixed(2)} ×). At ${speeds.looking.toLocaleString("en-US")} px/s, eight times the conversation's height:
${tasksIn(looking)} (target: none, ${looking.tasks.length === 0 ? "met" : "**not met**"}). At ${speeds.flinging.toLocaleString("en-US")} px/s without a rest, the fastest that
Android lets a thumb fling: ${tasksIn(flinging)}.`,
].join("\n\n");
if (!short) writeSection("bench:room", text);
console.log(text);
