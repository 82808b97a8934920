import { type RefObject, useEffect, useRef, useState } from "react";

/** Passes on pictures that are pasted into, or dropped onto, the section around `mark`. Returns true while something is dragged over it. */
export function usePictureDrop(mark: RefObject<HTMLElement | null>, take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const area = mark.current?.closest("section");
    if (!area) return;
    const ended = new AbortController();
    const on = <Type extends "dragover" | "dragleave" | "drop" | "paste">(
      type: Type,
      hear: (event: HTMLElementEventMap[Type]) => void,
    ) => area.addEventListener(type, hear, { signal: ended.signal });
    on("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    });
    on("dragleave", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && area.contains(relatedTarget))) setOver(false);
    });
    on("drop", (event) => {
      setOver(false);
      if (event.dataTransfer?.files.length) {
        event.preventDefault();
        latest.current([...event.dataTransfer.files]);
      }
    });
    on("paste", (event) => {
      const { clipboardData } = event;
      const pictures = [...(clipboardData?.files ?? [])].filter(({ type }) =>
        /^(image\/|application\/pdf)/.test(type),
      );
      // A copied table contains both text and a picture of itself: the text is meant.
      if (pictures.length === 0 || clipboardData?.types.includes("text/plain")) return;
      event.preventDefault();
      latest.current(pictures);
    });
    return () => ended.abort();
  }, [mark]);
  return over;
}
