import { useEffect, useState } from "react";
import type { RoomProps } from "../types.ts";
import type { useRoom } from "../use-room.ts";

/** A loss of the connection shorter than this is not shown. */
const connectionLossGraceMs = 2_000;

/** One line: who is typing, and whether the room is connected. */
export function ConnectionStatus({
  room,
  roomId,
  me,
  strings,
}: RoomProps & { room: ReturnType<typeof useRoom> }) {
  const writing = room.seats.filter((seat) => room.typing.includes(seat.id) && seat.id !== me);
  const line = useConnectionState(room.live, room.connected);
  return (
    <div className="flex min-h-5 items-center justify-between gap-3 px-1 text-xs text-quiet">
      <p aria-live="polite" className="min-w-0 truncate">
        {writing.length > 0 && writing.map((seat) => `${seat.displayName} ${strings.typing}`).join(", ")}
      </p>
      <p role="status" className="flex items-center gap-1.5">
        {room.refused && (
          <a href={`/chat/${roomId}`} className="font-semibold text-bad underline underline-offset-4">
            {strings.refused}
          </a>
        )}
        {line && !room.refused && room.suspension === undefined && (
          <>
            <span
              aria-hidden
              className={`size-2 shrink-0 rounded-full ${line === "connected" ? "bg-good" : "bg-warn"}`}
            />
            {strings[line]}
          </>
        )}
      </p>
    </div>
  );
}

/** The connection state to show; undefined before the first connection, unless connecting takes too long. */
function useConnectionState(
  live: boolean,
  connected: boolean,
): "connected" | "reconnecting" | "offline" | undefined {
  const [late, setLate] = useState(false);
  const [was, setWas] = useState(false);
  const [cut, setCut] = useState(false);
  useEffect(() => {
    if (connected) setWas(true);
    if (connected || !live) return;
    const timer = setTimeout(setLate, connectionLossGraceMs, true);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [connected, live]);
  // Only the events are trusted: some browsers report every machine without a network card as offline.
  useEffect(() => {
    const ended = new AbortController();
    addEventListener("offline", () => setCut(true), { signal: ended.signal });
    addEventListener("online", () => setCut(false), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  if (connected) return "connected";
  if (cut) return "offline";
  if (late) return "reconnecting";
  return was ? "connected" : undefined;
}
