import { useEffect, useReducer, useRef, useState } from "react";
import { markUpdatesOff } from "../../enhance/browser/updates-off-line.ts";
import { startRoom } from "./room-client.ts";
import { type RoomState, readSeqsOf, reduceRoomState } from "./room-state.ts";
import type { PendingMessage, RoomProps, WrittenMessage } from "./types.ts";

/** The room's state and the actions of the view. Before the script runs, the state is what the server rendered. */
export function useRoom(props: RoomProps) {
  const { roomId, me } = props;
  const { outdated } = props.strings;
  const [state, change] = useReducer(reduceRoomState, props, initialRoomState);
  const [live, setLive] = useState(false);
  const latest = useRef(state);
  latest.current = state;
  const client = useRef<ReturnType<typeof startRoom>>(null);

  useEffect(() => {
    setLive(true);
    markUpdatesOff(false);
    const started = startRoom({ roomId, me, outdated, state: () => latest.current, change });
    client.current = started;
    return () => started.stop();
  }, [roomId, me, outdated]);

  return {
    ...state,
    live,
    send: (written: WrittenMessage, onStored: () => void) => client.current?.send(written, onStored) ?? false,
    retry: (item: PendingMessage) => client.current?.retry(item),
    discard: (item: PendingMessage) => client.current?.discard(item),
    onTyping: () => client.current?.typing(),
    older: async () => client.current?.older(),
    markRead: (seq: number) => client.current?.read(seq),
    trim: (keep: number) => change({ kind: "trimmed", keep }),
  };
}

function initialRoomState({ messages, seats, hasOlder, handOver, askingCodes }: RoomProps): RoomState {
  const none = { pending: [], connected: false, typing: [], presence: {} };
  return { seats, messages, hasOlder, handOver, askingCodes, read: readSeqsOf(seats), ...none };
}
