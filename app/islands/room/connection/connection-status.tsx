import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { RoomProps } from "../types.ts";
import type { useRoom } from "../use-room.ts";

/** A loss of the connection shorter than this is not shown. */
const connectionLossGraceMs = 2_000;

/**
 * Whether the room is connected, in the place that the page keeps for it: beside the bar's buttons; on a phone over the messages, and only
 * while it is disconnected. Who is typing is in the bar; here it is for screen readers.
 */
export function ConnectionStatus({
  room,
  roomId,
  me,
  strings,
}: RoomProps & { room: ReturnType<typeof useRoom> }) {
  const writing = room.seats.filter((seat) => room.typing.includes(seat.id) && seat.id !== me);
  const state = useConnectionState(room.live, room.connected);
  const place = room.live ? document.getElementById("room-connection") : null;
  const status = (
    <p
      role="status"
      className={`flex items-center gap-1.5 text-sm text-quiet empty:hidden ${state === "connected" ? "max-lg:sr-only" : "max-lg:mt-2 max-lg:rounded-full max-lg:bg-card max-lg:px-3 max-lg:py-1 max-lg:shadow-lift"}`}
    >
      {room.refused && (
        <a
          href={`/chat/${roomId}`}
          className="pointer-events-auto font-semibold text-bad underline underline-offset-4"
        >
          {strings.refused}
        </a>
      )}
      {state && !room.refused && room.suspension === undefined && (
        <>
          <span
            aria-hidden
            className={`size-2 shrink-0 rounded-full ${state === "connected" ? "bg-good" : "bg-warn"}`}
          />
          {strings[state]}
        </>
      )}
    </p>
  );
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {writing.length > 0 && writing.map((seat) => `${seat.displayName} ${strings.typing}`).join(", ")}
      </p>
      {place && createPortal(status, place)}
    </>
  );
}

/** The connection state to show; undefined before the first connection, unless connecting takes too long. */
function useConnectionState(
  live: boolean,
  connected: boolean,
): "connected" | "reconnecting" | "offline" | undefined {
  const [isLossLong, setLossLong] = useState(false);
  const [wasConnected, setWasConnected] = useState(false);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    if (connected) setWasConnected(true);
    if (connected || !live) return;
    const timer = setTimeout(setLossLong, connectionLossGraceMs, true);
    return () => {
      clearTimeout(timer);
      setLossLong(false);
    };
  }, [connected, live]);
  // Only the events are trusted: some browsers report every machine without a network card as offline.
  useEffect(() => {
    const ended = new AbortController();
    addEventListener("offline", () => setOffline(true), { signal: ended.signal });
    addEventListener("online", () => setOffline(false), { signal: ended.signal });
    return () => ended.abort();
  }, []);
  if (connected) return "connected";
  if (isOffline) return "offline";
  if (isLossLong) return "reconnecting";
  return wasConnected ? "connected" : undefined;
}
