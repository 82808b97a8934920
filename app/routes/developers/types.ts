// What the pages for programs show; `app/server/openapi` makes it of the document.

/** A JSON schema as lines to read: what a part is called, of what kind it is, what bounds it, and its own parts. */
export type Line = {
  name: string;
  kind: string;
  /** What may stand there, in a few signs; empty where anything of the kind may. */
  bounds: string;
  optional: boolean;
  about: string;
  parts: Line[];
};

/** A call in the list of all. */
export type Listed = { id: string; method: string; path: string; summary: string };
export type Group = { name: string; calls: Listed[] };
export type Refusal = { status: string; code: string; message: string };

/** One call, ready to be read. */
export type Shown = Listed & {
  asker: "anybody" | "session" | "user" | "freshUser" | "admin" | "freshAdmin";
  parameters: Line[];
  body: { lines: Line[]; optional: boolean } | null;
  answers: Array<{ status: string; file: string | null; lines: Line[] }>;
  refusals: Refusal[];
  everywhere: Refusal[];
  frames: { client: Line[]; server: Line[] } | null;
};
