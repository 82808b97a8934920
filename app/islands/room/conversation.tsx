import { useEffect } from "react";
import { Composer } from "./composer.tsx";
import { Messages } from "./messages.tsx";
import { markPresence } from "./presence-marks.ts";
import type { RoomProps } from "./types.ts";
import { useRoom } from "./use-room.ts";

/**
 * Messages and composer, as high as the box the page gives them. Every part is a plain form or link first, so the room works
 * before any script. Who is there is shown at the seats, which the page renders.
 */
export function Conversation(props: RoomProps) {
  const room = useRoom(props);
  const { strings } = props;
  const writing = room.seats.filter((seat) => room.typing.includes(seat.id) && seat.id !== props.me);
  const { live, presence, seats } = room;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new seats bring new marks
  useEffect(() => {
    if (live) markPresence(presence, strings.presence);
  }, [live, presence, seats, strings]);
  return (
    <section
      aria-label={strings.conversation}
      className="flex min-h-0 grow flex-col gap-2 rounded-card border border-line bg-card p-3 sm:gap-3 sm:p-4"
    >
      <p className="flex items-center gap-2 text-sm text-quiet" role="status">
        {room.live && (
          <span aria-hidden className={`size-2 rounded-full ${room.connected ? "bg-good" : "bg-warn"}`} />
        )}
        {room.live && (room.connected ? strings.connected : strings.reconnecting)}
      </p>
      <Messages {...props} room={room} />
      <p className="min-h-5 text-sm text-quiet" aria-live="polite">
        {writing.map((seat) => `${seat.displayName} ${strings.typing}`).join(", ")}
      </p>
      <Composer {...props} send={room.send} onTyping={room.onTyping} />
    </section>
  );
}
