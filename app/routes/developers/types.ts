// Data of the API's pages; `app/server/openapi` builds it from the OpenAPI document.

/** A JSON schema as lines: a part's name, type and limits, and its own parts. */
export type SchemaLine = {
  name: string;
  kind: string;
  /** The limits on the value, in a few characters; "" if there are none. */
  bounds: string;
  optional: boolean;
  about: string;
  parts: SchemaLine[];
};

/** An API call in the list. */
export type ListedCall = { id: string; method: string; path: string; summary: string };
export type CallGroup = { name: string; calls: ListedCall[] };
export type CallRefusal = { status: string; code: string; message: string };

/** One API call in full. */
export type ShownCall = ListedCall & {
  asker: "anybody" | "session" | "user" | "freshUser" | "admin" | "freshAdmin";
  parameters: SchemaLine[];
  body: { lines: SchemaLine[]; optional: boolean } | null;
  answers: Array<{ status: string; file: string | null; lines: SchemaLine[] }>;
  refusals: CallRefusal[];
  everywhere: CallRefusal[];
  frames: { client: SchemaLine[]; server: SchemaLine[] } | null;
};
