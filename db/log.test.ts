import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { useDatabase } from "../tests/support/database/test-database.ts";
import { db } from "./client.ts";
import { serializeFailure } from "./log.ts";

useDatabase();

test("a failed query is logged with its statement and reason, and without its values", async () => {
  const write = db().execute(sql`
    INSERT INTO base.throttle (key, spent_until) VALUES (${"bat@example.mn"}, now()), (${"bat@example.mn"}, now())`);
  const told = JSON.stringify(
    serializeFailure(
      await write.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(told).toContain("INSERT INTO base.throttle");
  expect(told).toContain("throttle_pkey");
  expect(told).toContain('"code":"23505"');
  expect(told).toContain("    at ");
  expect(told).not.toContain("bat@example.mn");
});

test("a value that is not an error is logged by its status only", () => {
  expect(serializeFailure({ status: 500, statusText: "No", data: "bat@example.mn" })).toEqual({
    ...{ status: 500, statusText: "No" },
  });
  expect(serializeFailure("bat@example.mn")).toEqual({});
});
