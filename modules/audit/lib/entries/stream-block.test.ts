import { expect, test } from "bun:test";
import { streamBlock } from "./stream-block.ts";

const entry = (id: string) => ({
  ...{ id, at: "2026-03-01T10:00:00.000000Z", userId: "7", action: "login", roomId: null, subjectKind: null },
  ...{ subjectId: null, data: "{}", trace: null, xid: "1", recordedAt: "2026-03-01T10:00:00.000000Z" },
});

test("each entry is written before the next is read, and the block's head comes last", async () => {
  const happened: string[] = [];
  async function* entries() {
    for (const id of ["1", "2", "3"]) {
      happened.push(`read ${id}`);
      yield entry(id);
    }
  }
  const info = (facts: object, words?: string) => {
    const { audit, block, head, entries } = facts as Record<string, unknown>;
    const id = (audit as { id: string } | undefined)?.id;
    happened.push(`${words} ${id ?? `${block} ${head} ${entries}`}`);
  };
  await streamBlock({ block: 4, head: "3f9a", entries: entries() }, { info });
  expect(happened).toEqual([
    ...["1", "2", "3"].flatMap((id) => [`read ${id}`, `audit ${id}`]),
    "audit block 4 3f9a 3",
  ]);
});
