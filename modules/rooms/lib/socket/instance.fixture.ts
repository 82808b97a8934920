import { overrideConfig } from "#config";
import { startBus, stopBus } from "#db/bus";
import { connectDatabase, disconnectDatabase } from "#db/client";
import { socketTimings } from "./limits.ts";
import { listen } from "./socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "./socket-lifecycle.ts";

// For tests: an instance in its own process. Prints its port; ends on SIGTERM as the server does.

const [databaseUrl = "", redisUrl = "", heartbeat = "200", lease = "1000"] = process.argv.slice(2);
overrideConfig({ THROTTLE_FACTOR: 10_000 });
socketTimings.heartbeat = Number(heartbeat);
socketTimings.lease = Number(lease);
connectDatabase(databaseUrl);
await startBus(redisUrl);
await startRooms();
const instance = listen();
process.on("SIGTERM", async () => {
  closeSockets();
  await stopRooms();
  await stopBus();
  await disconnectDatabase();
  process.exit(0);
});
console.log(instance.port);
