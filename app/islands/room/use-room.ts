import { useEffect, useReducer, useRef, useState } from "react";
import { startRoom } from "./room-client.ts";
import { type RoomState, reduce } from "./state.ts";
import type { Pending, RoomProps } from "./types.ts";

/** The room's state and what the view can ask of it. Before the script runs, it is what the server rendered. */
export function useRoom(props: RoomProps) {
  const { roomId, me } = props;
  const [state, change] = useReducer(reduce, props, initial);
  const [live, setLive] = useState(false);
  const latest = useRef(state);
  latest.current = state;
  const client = useRef<ReturnType<typeof startRoom>>(null);

  useEffect(() => {
    setLive(true);
    const started = startRoom({ roomId, me, state: () => latest.current, change });
    client.current = started;
    return () => started.stop();
  }, [roomId, me]);

  return {
    ...state,
    live,
    send: (content: string) => client.current?.send(content),
    retry: (item: Pending) => client.current?.retry(item),
    onTyping: () => client.current?.typing(),
  };
}

function initial({ messages, seats }: RoomProps): RoomState {
  return { seats, messages, pending: [], connected: false, typing: [], presence: {} };
}
