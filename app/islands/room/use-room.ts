import { useEffect, useReducer, useRef, useState } from "react";
import { startRoom } from "./room-client.ts";
import { type RoomState, readOf, reduce } from "./state.ts";
import type { Pending, RoomProps, Written } from "./types.ts";

/** The room's state and what the view can ask of it. Before the script runs, it is what the server rendered. */
export function useRoom(props: RoomProps) {
  const { roomId, me } = props;
  const { outdated } = props.strings;
  const [state, change] = useReducer(reduce, props, initial);
  const [live, setLive] = useState(false);
  const latest = useRef(state);
  latest.current = state;
  const client = useRef<ReturnType<typeof startRoom>>(null);

  useEffect(() => {
    setLive(true);
    const started = startRoom({ roomId, me, outdated, state: () => latest.current, change });
    client.current = started;
    return () => started.stop();
  }, [roomId, me, outdated]);

  return {
    ...state,
    live,
    send: (written: Written, safe: () => void) => client.current?.send(written, safe) ?? false,
    retry: (item: Pending) => client.current?.retry(item),
    discard: (item: Pending) => client.current?.discard(item),
    onTyping: () => client.current?.typing(),
    older: async () => client.current?.older(),
    markRead: (seq: number) => client.current?.read(seq),
    trim: (keep: number) => change({ kind: "trimmed", keep }),
  };
}

function initial({ messages, seats, hasOlder, handOver }: RoomProps): RoomState {
  const none = { pending: [], connected: false, typing: [], presence: {} };
  return { seats, messages, hasOlder, handOver, read: readOf(seats), ...none };
}
