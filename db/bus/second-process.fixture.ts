// Another instance: echoes on "pong" and on "late" what it hears on "ping". It subscribes before it connects.
import { publishHint, startBus, subscribeToHints } from "../bus.ts";

subscribeToHints("ping", (message) => {
  publishHint("pong", message);
  publishHint("late", message);
});
await startBus(process.argv[2]);
console.info("ready");
