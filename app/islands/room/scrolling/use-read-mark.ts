import { type RefObject, useEffect, useRef } from "react";
import type { useRoom } from "../use-room.ts";

/** The read mark is sent at most once in this interval, in ms. */
const markReadIntervalMs = 1_000;

/** Marks the room as read while its end is visible and the page has the person's attention. */
export function useReadMark(end: RefObject<HTMLElement | null>, room: ReturnType<typeof useRoom>): void {
  const last = room.messages.at(-1)?.seq ?? 0;
  // The server has already marked the messages that it rendered.
  const told = useRef(last);
  const inSight = useRef(false);
  const look = useRef(() => {});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  look.current = () => {
    if (!inSight.current || document.visibilityState !== "visible" || last <= told.current) return;
    if (timer.current !== undefined) return;
    told.current = last;
    room.markRead(last);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      look.current();
    }, markReadIntervalMs);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again when a new message arrives
  useEffect(() => look.current(), [last]);
  useEffect(() => {
    if (end.current === null) return;
    const seen = new IntersectionObserver((entries) => {
      inSight.current = entries.at(-1)?.isIntersecting ?? false;
      look.current();
    });
    seen.observe(end.current);
    const returned = () => look.current();
    document.addEventListener("visibilitychange", returned);
    return () => {
      seen.disconnect();
      clearTimeout(timer.current);
      document.removeEventListener("visibilitychange", returned);
    };
  }, [end]);
}
