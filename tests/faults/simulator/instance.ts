// An instance whose clock a simulation sets. It runs on from whatever it is told, as a clock does.
import { setClock } from "#db/clock";
import type { Told } from "./steering.ts";

let begun = { at: Date.now(), is: Number(process.env.SIMULATED_NOW ?? Date.now()) };
const now = () => new Date(begun.is + Date.now() - begun.at);
setClock(now);

await import("#app/server");
const { sweepDeadlines } = await import("#modules/escrow");

async function obey(told: Told): Promise<void> {
  if (told.clock !== undefined) begun = { at: Date.now(), is: told.clock };
  if (told.sweep) await sweepDeadlines(now());
}

process.on("message", (told: Told) => {
  obey(told).then(
    () => process.send?.({ id: told.id }),
    (error) => process.send?.({ id: told.id, failed: String(error?.stack ?? error) }),
  );
});
// It does not outlive who steers it, however that ended.
process.on("disconnect", () => process.exit(0));
