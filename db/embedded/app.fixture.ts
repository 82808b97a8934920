// A process that runs the embedded database, prints its address, and lives until it is killed or its input ends.
import { startEmbedded } from "../embedded.ts";

const embedded = await startEmbedded();
console.info(JSON.stringify({ url: embedded.ownerUrl }));
for await (const _ of Bun.stdin.stream()) break;
await embedded.stop();
