import type { RoomStrings } from "../types.ts";

/** How far a message of one's own has come: on its way, stored (one tick), read by the other side (two). */
export function Tick({ state, strings }: { state: "sending" | "sent" | "read"; strings: RoomStrings }) {
  return <span role="img" aria-label={strings[state]} className={`tick tick-${state}`} />;
}
