// Another instance: echoes what it receives on "ping" to "pong" and "late". It subscribes before it connects.
import { publishHint, startBus, subscribeToHints } from "../bus.ts";

subscribeToHints("ping", (message) => {
  publishHint("pong", message);
  publishHint("late", message);
});
await startBus(process.argv[2]);
console.info("ready");
