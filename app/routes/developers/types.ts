// What the pages for programs show; `app/server/openapi` makes it of the document.

/** A JSON schema as lines to read: what a part is called, of what kind it is, what bounds it, and its own parts. */
export type SchemaLine = {
  name: string;
  kind: string;
  /** What may stand there, in a few signs; empty where anything of the kind may. */
  bounds: string;
  optional: boolean;
  about: string;
  parts: SchemaLine[];
};

/** A call in the list of all. */
export type ListedCall = { id: string; method: string; path: string; summary: string };
export type CallGroup = { name: string; calls: ListedCall[] };
export type CallRefusal = { status: string; code: string; message: string };

/** One call, ready to be read. */
export type ShownCall = ListedCall & {
  asker: "anybody" | "session" | "user" | "freshUser" | "admin" | "freshAdmin";
  parameters: SchemaLine[];
  body: { lines: SchemaLine[]; optional: boolean } | null;
  answers: Array<{ status: string; file: string | null; lines: SchemaLine[] }>;
  refusals: CallRefusal[];
  everywhere: CallRefusal[];
  frames: { client: SchemaLine[]; server: SchemaLine[] } | null;
};
