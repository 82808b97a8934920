// Another instance: echoes on "pong" and on "late" what it hears on "ping". It subscribes before it connects.
import { publish, startBus, subscribe } from "../bus.ts";

subscribe("ping", (message) => {
  publish("pong", message);
  publish("late", message);
});
await startBus(process.argv[2]);
console.info("ready");
