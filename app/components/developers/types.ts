/** What the pages for programs show; made by `app/http/api/page.ts`. */
export type Line = {
  name: string;
  kind: string;
  bounds: string;
  optional: boolean;
  about: string;
  parts: Line[];
};
export type Listed = { id: string; method: string; path: string; summary: string };
export type Group = { name: string; calls: Listed[] };
export type Refusal = { status: string; code: string; message: string };
export type Shown = Listed & {
  asker: "anybody" | "session" | "user" | "freshUser" | "admin" | "freshAdmin";
  parameters: Line[];
  body: { lines: Line[]; optional: boolean } | null;
  answers: Array<{ status: string; file: string | null; lines: Line[] }>;
  refusals: Refusal[];
  everywhere: Refusal[];
  frames: { client: Line[]; server: Line[] } | null;
};
