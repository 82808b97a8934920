import { useEffect, useReducer, useRef } from "react";
import { maxPicturesAtOnce } from "../picture-limits.ts";
import { type ShrunkPicture, shrinkPicture } from "./shrink-picture.ts";

/** A chosen file; `made` is what will be sent of it, or why it cannot be, with an object URL to show it. */
export interface ChosenFile {
  key: number;
  file: File;
  made?: ShrunkPicture & { address?: string };
}

type ChosenChange =
  | { kind: "added"; files: File[] }
  | { kind: "made"; key: number; made: NonNullable<ChosenFile["made"]> }
  | { kind: "removed"; keys: number[] };

interface ChosenState {
  items: ChosenFile[];
  /** How many files were left out, because more than `maxPicturesAtOnce` were chosen. */
  leftOut: number;
  lastKey: number;
}

function reduceChosen(state: ChosenState, change: ChosenChange): ChosenState {
  const { items, lastKey } = state;
  switch (change.kind) {
    case "added": {
      const taken = change.files.slice(0, maxPicturesAtOnce - items.length);
      return {
        items: [...items, ...taken.map((file, at) => ({ key: lastKey + 1 + at, file }))],
        leftOut: change.files.length - taken.length,
        lastKey: lastKey + taken.length,
      };
    }
    case "made":
      return {
        ...state,
        items: items.map((item) => (item.key === change.key ? { ...item, made: change.made } : item)),
      };
    case "removed":
      return { ...state, items: items.filter(({ key }) => !change.keys.includes(key)), leftOut: 0 };
  }
}

/** The chosen files, shrunk one after the other: a cheap phone has no memory for ten open photos. */
export function useChosenFiles(first: File[]) {
  const none: ChosenState = { items: [], leftOut: 0, lastKey: 0 };
  const [state, change] = useReducer(reduceChosen, none, () =>
    reduceChosen(none, { kind: "added", files: first }),
  );
  const addresses = useRef(new Map<number, string>());
  const waiting = state.items.find(({ made }) => made === undefined);
  useEffect(() => {
    if (waiting === undefined) return;
    let gone = false;
    const { key, file } = waiting;
    void shrinkPicture(file).then((shrunk) => {
      if (gone) return;
      const address = shrunk.ok && shrunk.width > 0 ? URL.createObjectURL(shrunk.blob) : undefined;
      if (address !== undefined) addresses.current.set(key, address);
      change({ kind: "made", key, made: { ...shrunk, ...(address !== undefined && { address }) } });
    });
    return () => {
      gone = true;
    };
  }, [waiting]);
  useEffect(() => {
    const held = addresses.current;
    return () => {
      for (const address of held.values()) URL.revokeObjectURL(address);
    };
  }, []);
  return {
    ...state,
    isReady: waiting === undefined,
    add: (files: File[]) => change({ kind: "added", files }),
    remove(...keys: number[]) {
      for (const key of keys) URL.revokeObjectURL(addresses.current.get(key) ?? "");
      change({ kind: "removed", keys });
    },
  };
}
