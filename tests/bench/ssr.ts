/** bench:ssr: the room's page with 50 messages, beside a bare render of its tree and beside stock React Router on Node. */
import { expectStatus, makeRoomPair } from "../support/people/registered-people.ts";
import { type NodeReference, startNodeReference } from "./ssr/node.ts";
import { type Candidate, type Counted, report } from "./ssr/report.ts";
import { cores, type Midman, root, startMidman } from "./support/midman.ts";
import { pinBackends } from "./support/postgres.ts";
import { atMost, pinned } from "./support/process.ts";
import { machine } from "./support/results.ts";

const rounds = 5;
const seconds = 4;
const atOnce = 8;
const warmUps = 4;
/** In every page that is whole: the last message. */
const marker = "Message 49";

atMost(240);
const about = machine();
await using midman = await startMidman();
await using bare = await startMidman({ program: "tests/bench/ssr/bare.ts", databaseUrl: midman.databaseUrl });
await using browsers = pinned(cores.load, [process.execPath, "tests/bench/ssr/load.ts"], { cwd: root });
const { path, cookie } = await prepare(midman);
const page = { cookie, seconds, atOnce, marker };
const ours = served("Midman", midman);
const tree = await rendered();
// Without a registry there is no Node to be had: the bench then says so, and goes on without that reference.
const node = await startNodeReference(midman).catch((error: Error) => error);
const reference = node instanceof Error ? undefined : served("react-router-serve", node);
const candidates = [ours, tree, ...(reference === undefined ? [] : [reference])];
// Until every connection is open and nearly all is compiled: that takes a server of many functions longer than a loop of few.
for (let time = 0; time < warmUps; time++) for (const candidate of candidates) await candidate.run();
const moved = await pinBackends(midman.databaseUrl, cores.load);
for (let round = 0; round < rounds; round++) for (const candidate of candidates) await measure(candidate);
if (!(node instanceof Error)) await node.end();
report({
  about,
  ours,
  tree,
  reference,
  node,
  moved,
  shape: `${rounds} rounds of ${seconds} s, ${atOnce} requests at once`,
});

/** A room of two with 50 messages, half from each, made through the API; and the seller's way in. */
async function prepare(server: Midman): Promise<{ path: string; cookie: string }> {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const messages = `/api/chat/rooms/${roomId}/messages`;
  for (let said = expectStatus(await seller.get(messages), 200).list.length; said < 50; said++) {
    const content = `Message ${said}: the account has two rare skins, and the mail address goes with it.`;
    expectStatus(await (said % 2 === 0 ? seller : buyer).post(messages, { content }), 200, 201);
  }
  // A browser that has been here: pages link the stylesheet instead of bringing it along.
  const first = await fetch(`${server.url}/chat`, { headers: { cookie: seller.cookies() } });
  const look = first.headers.getSetCookie().find((each) => each.startsWith("midman-look="));
  if (look === undefined) throw new Error("No page said which look it brought");
  return { path: `/chat/${roomId}`, cookie: `${seller.cookies()}; ${look.split(";")[0]}` };
}

function served(name: string, server: Midman | NodeReference): Candidate {
  const run = () => browsers.ask<Counted>({ ...page, url: `${server.url}${path}` });
  return { name, run, cpuMicros: server.cpuMicros, figures: [] };
}

/** The bare render; one request to it gives it the data. */
async function rendered(): Promise<Candidate> {
  const reply = await fetch(`${bare.url}${path}`, { headers: { cookie, "accept-language": "en" } });
  if (!reply.ok) throw new Error(`The bare reference got no page: ${reply.status}`);
  const run = () => bare.ask<Counted>({ seconds, marker });
  return { name: "bare `renderToString`", run, cpuMicros: bare.cpuMicros, figures: [] };
}

async function measure(candidate: Candidate): Promise<void> {
  const before = candidate.cpuMicros();
  const counted = await candidate.run();
  const spent = candidate.cpuMicros() - before;
  candidate.figures.push({
    perSecond: counted.replies / counted.seconds,
    cpuMicros: spent / counted.replies,
    busy: spent / 1e6 / counted.seconds,
    bytes: counted.bytes,
  });
}
