/** bench:soak: what a server with open sockets, heartbeats and some talk takes of memory over the minutes (`--minutes 30 --sockets 2000`). */
import { parseArgs } from "node:util";
import { makeRoomPair } from "../support/people/registered-people.ts";
import { type Door, doorsOf, openRoom } from "./fanout/candidates.ts";
import { cores, root, startMidman } from "./support/midman.ts";
import { atMost, pinned, stayOn } from "./support/process.ts";
import { machine, median, table, verdict, writeSection } from "./support/results.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    sockets: { type: "string", default: "2000" },
  },
});
const minutes = Number(values.minutes);
const sockets = Number(values.sockets);
/** Two people, five windows each; so many rooms of theirs, and then other two. */
const [roomOf, roomsEach] = [10, 10];
const everyMs = 5_000;

atMost(minutes * 60 + 300);
const about = machine();
await using clients = pinned(cores.load, [process.execPath, "tests/bench/fanout/clients.ts"], { cwd: root });
await using midman = await startMidman({ program: "tests/bench/fanout/ours.ts" });
stayOn(cores.load);
const doors: Door[] = [];
while (doors.length < sockets) {
  const { seller, buyer } = await makeRoomPair(midman);
  for (let room = 0; room < roomsEach && doors.length < sockets; room++) {
    doors.push(...doorsOf(midman, { size: roomOf }, await openRoom(seller, buyer), [seller, buyer]));
  }
}
await clients.ask({ connect: doors.slice(0, sockets), socketIo: false, group: "all" });
const chat = JSON.stringify({ type: "chat", payload: { type: "text", content: "Has it arrived?" } });

const readings: Array<{ minute: number; bytes: number }> = [];
const from = Date.now();
const end = from + minutes * 60_000;
for (let said = 0; Date.now() < end; said++) {
  // One message in every room each half minute; the server's own heartbeats go on meanwhile.
  if (said % 6 === 0) await clients.ask({ say: chat, every: roomOf, group: "all" });
  await Bun.sleep(everyMs);
  readings.push({ minute: (Date.now() - from) / 60_000, bytes: midman.memory() });
}
await midman.ask({ settle: true });

// A first fifth to settle; then the first quarter of what is left beside the last.
const settled = readings.filter(({ minute }) => minute > minutes / 5);
const quarter = Math.max(1, Math.floor(settled.length / 4));
const megabytes = (part: typeof readings) => median(part.map(({ bytes }) => bytes)) / 1024 ** 2;
const [first, last] = [megabytes(settled.slice(0, quarter)), megabytes(settled.slice(-quarter))];
const text = [
  about,
  `${sockets.toLocaleString("en-US")} sockets of real members for ${minutes} minutes, in rooms of two people with five windows each; the server's heartbeat every 20 s, and a
message in every room each half minute, stored and delivered. Memory is the server's in RAM, read every ${everyMs / 1000} s without asking the garbage
collector for anything. Drift: the median of the last quarter beside that of the first, after a fifth of the time to settle. Thirty
minutes, since the collector lets memory rise and fall by a tenth within about ten of them.`,
  table(
    ["MB", "first quarter", "last quarter", "lowest", "highest"],
    [
      [
        "server",
        first.toFixed(0),
        last.toFixed(0),
        ...[Math.min, Math.max].map((of) =>
          (of(...settled.map(({ bytes }) => bytes)) / 1024 ** 2).toFixed(0),
        ),
      ],
    ],
  ),
  table(
    ["what", "measured", "target", ""],
    [
      verdict(
        `${sockets.toLocaleString("en-US")} open sockets: growth of memory`,
        (last / first - 1) * 100,
        { atMost: 5 },
        "%",
        1,
      ),
    ],
  ),
].join("\n\n");
// A shorter or smaller run shows its figures and writes nothing down.
if (minutes >= 30 && sockets >= 2_000) writeSection("bench:soak", text);
console.log(text);
process.exit();
