import type { RoomStrings } from "../types.ts";

/** Delivery state of the reader's own message: sending, stored (one tick), read by the other person (two ticks). */
export function Tick({ state, strings }: { state: "sending" | "sent" | "read"; strings: RoomStrings }) {
  return <span role="img" aria-label={strings[state]} className={`tick tick-${state}`} />;
}
