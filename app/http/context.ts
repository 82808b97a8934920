import { createContext } from "react-router";
import type { Actor } from "#modules/identity";
import type { Assets } from "./built.ts";
import type { Toast } from "./flash.ts";

/** What the server hands to every loader and action of one request. */
export interface Visit {
  actor: Actor;
  /** From the cookie `midman-theme`; light is the default. */
  theme: "light" | "dark";
  /** The toast that the page before left, shown once. */
  toast: Toast | null;
  /** Public addresses of the built scripts and of the stylesheet. */
  scripts: Assets;
  /** The stylesheet's text where the page brings it along; else null, and the page links it. */
  styles: string | null;
  /** What a loader, an action or the drawing threw, for the door to judge once the page is made. */
  failure: unknown;
}

export const visitContext = createContext<Visit>();
