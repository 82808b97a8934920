import { useEffect, useReducer, useRef, useState } from "react";
import { fetchAfter, postMessage, refreshPanel } from "./api.ts";
import { connectRoom } from "./connection.ts";
import { contiguousSeq, reduce } from "./state.ts";
import type { Pending, RoomProps } from "./types.ts";

const typingIdle = 2_000;
const poll = 10_000;
/** How long the socket may owe an acknowledgement before the message is posted by HTTP instead. */
const ackPatience = 4_000;

/** The live room: a socket for hints, `seq` for truth, HTTP for what the socket cannot do. */
export function useRoom(props: RoomProps) {
  const { roomId, me, strings } = props;
  const [state, change] = useReducer(reduce, {
    messages: props.messages,
    pending: [],
    connected: false,
    typing: [],
    presence: {},
  });
  const [live, setLive] = useState(false);
  const latest = useRef(state);
  latest.current = state;
  const connection = useRef<ReturnType<typeof connectRoom>>(null);

  const post = async ({ clientId, content }: Pending) => {
    try {
      const sent = await postMessage(roomId, clientId, content);
      if (sent.ok) change({ kind: "received", messages: [sent.message] });
      else change({ kind: "failed", clientId, reason: sent.reason });
    } catch {
      change({ kind: "failed", clientId, reason: "" });
    }
  };

  const deliver = (item: Pending) => {
    const { clientId, content } = item;
    const sent = connection.current?.send({ type: "chat", clientId, payload: { content, type: "text" } });
    if (!sent) return void post(item);
    setTimeout(() => {
      if (latest.current.pending.some((waiting) => waiting.clientId === clientId && !waiting.failed)) void post(item);
    }, ackPatience);
  };

  useEffect(() => {
    setLive(true);
    const catchUp = () =>
      fetchAfter(roomId, contiguousSeq(latest.current.messages), (messages) => change({ kind: "received", messages })).catch(
        () => {},
      );
    const resend = () => {
      for (const item of latest.current.pending) void post(item);
    };
    const typers = new Map<number, ReturnType<typeof setTimeout>>();
    connection.current = connectRoom(roomId, me, {
      onOpen() {
        change({ kind: "connected", connected: true });
        void catchUp().then(resend);
        void refreshPanel(roomId);
      },
      onClose: () => change({ kind: "connected", connected: false }),
      onMessage: (message) => change({ kind: "received", messages: [message] }),
      onSeq(seq) {
        if (seq > contiguousSeq(latest.current.messages)) void catchUp();
      },
      onRefused: (clientId, reason) => change({ kind: "failed", clientId, reason }),
      onTyping(userId, on) {
        clearTimeout(typers.get(userId));
        change({ kind: "typing", userId, on });
        if (on) typers.set(userId, setTimeout(() => change({ kind: "typing", userId, on: false }), typingIdle * 2));
      },
      onPresence: (userId, status) => change({ kind: "presence", userId, status }),
      onTradeChanged: () => void refreshPanel(roomId),
    });
    // Without the socket, the poll keeps the room and its payment true (it reads our database, never the provider).
    const timer = setInterval(() => {
      if (latest.current.connected) return;
      void catchUp();
      void refreshPanel(roomId);
    }, poll);
    return () => {
      clearInterval(timer);
      connection.current?.stop();
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: one connection a room, for as long as it is shown
  }, [roomId, me]);

  const idle = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    ...state,
    live,
    strings,
    send(content: string) {
      const item = { clientId: crypto.randomUUID(), content };
      change({ kind: "queued", pending: item });
      deliver(item);
    },
    retry(item: Pending) {
      change({ kind: "retried", clientId: item.clientId });
      deliver({ clientId: item.clientId, content: item.content });
    },
    onTyping() {
      if (idle.current === undefined) connection.current?.send({ type: "typing_start" });
      clearTimeout(idle.current);
      idle.current = setTimeout(() => {
        idle.current = undefined;
        connection.current?.send({ type: "typing_end" });
      }, typingIdle);
    },
  };
}
