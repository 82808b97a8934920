import type { Client } from "../../support/server/http-client.ts";
import type { Server } from "../../support/server/midman-server.ts";

export type Values = Record<string, string>;
/** Keys of the catalogues by the field each stands beside; `""` is the form as a whole. */
type Says = Record<string, string>;

/** What one form needs to be tried: somebody at its page, and what they type. */
export type Begun = { at: string; who?: Client; right: Values };

/** One form of a page and what comes of it. */
export type FormCase = {
  name: string;
  /** Its hidden field `form`; a page's only form has none. */
  form?: string;
  begin(server: Server): Promise<Begun>;
  /** What an empty form is told; a form whose fields may all be empty has nothing to be told. */
  empty?: Says;
  wrong?: Array<{ values: Values; says: Says; status?: number }>;
  /** What was typed is shown once more before it counts; its first button lets it. */
  lookedOver?: true;
  /** Where it leads. */
  leads: RegExp;
  /** Where the same form leads when it is sent a second time, or what is then said. */
  again: RegExp | { status: number; says: Says } | { status: number; tells: string };
};
