import type { Page } from "@playwright/test";
import type { Who, World } from "../world.ts";

/** One page in one state: what pictures are taken of and what every check of all pages goes through. */
export type Screen = {
  /** The folder of its pictures. */
  name: string;
  /** Its path in app/routes.ts. */
  route: string;
  /** Where it is. */
  at: string | ((world: World) => string);
  /** Who looks; a visitor unless said. */
  as?: Who;
  /** The status it answers with; 200 unless said. */
  status?: number;
  /** Open to anyone and to search engines: held to one first flight and to Lighthouse's 100. */
  public?: true;
  /** Open to anyone, though not to search engines: held to one first flight. */
  light?: true;
  /** What is done on the page before it is looked at. */
  act?: (page: Page, world: World) => Promise<void>;
};
