import { Check, CheckCheck, Clock } from "lucide";
import { Icon } from "../../components/icon.tsx";
import type { Strings } from "./types.ts";

const looks = { sending: Clock, sent: Check, read: CheckCheck };

/** How far a message of one's own has come: on its way, stored (one tick), read by the other side (two). */
export function Tick({ state, strings }: { state: keyof typeof looks; strings: Strings }) {
  return (
    <>
      <Icon of={looks[state]} className="inline-block size-3.5" />
      <span className="sr-only">{strings[state]}</span>
    </>
  );
}
