import { createContext } from "react-router";
import type { Actor } from "#modules/identity";
import type { Assets } from "./built-assets.ts";
import type { PageStylesheet } from "./page-stylesheet.ts";
import type { Toast } from "./toast-cookie.ts";

/** What the server passes to every loader and action of one request. */
export interface Visit {
  actor: Actor;
  /** From the cookie `midman-theme`; light is the default. */
  theme: "light" | "dark";
  /** The toast that the previous page left, shown once. */
  toast: Toast | null;
  /** Public addresses of the built scripts and stylesheets. */
  scripts: Assets;
  look: PageStylesheet;
  /** The error that a loader, an action or the rendering threw, for the page handler to examine afterwards. */
  failure: unknown;
}

export const visitContext = createContext<Visit>();
