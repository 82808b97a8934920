import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aRoom, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { joinByCode } from "./join-room.ts";
import { readRoomNames } from "./room-names.ts";

useDatabase();
unthrottled();
withoutTrades();

test("a member knows a room by its name and the other person's, also after it was deleted; others know nothing of it", async () => {
  const [anna, bold, third] = await Promise.all([
    someone("Anna Bat"),
    someone("Bold Dorj"),
    someone("Third One"),
  ]);
  const [shared, alone] = await Promise.all([aRoom(anna), aRoom(anna)]);
  expect(await joinByCode(bold.actor, { code: shared.inviteCode })).toMatchObject({ ok: true });
  await db().execute(sql`UPDATE rooms.rooms SET deleted_at = now() WHERE id = ${shared.id}`);
  const ids = [shared.id, alone.id, 999_999];
  const room = "A game account";
  expect(await readRoomNames(anna.actor, ids)).toEqual(
    new Map([
      [shared.id, { room, other: "Bold Dorj" }],
      [alone.id, { room, other: null }],
    ]),
  );
  expect(await readRoomNames(bold.actor, ids)).toEqual(new Map([[shared.id, { room, other: "Anna Bat" }]]));
  expect(await readRoomNames(third.actor, ids)).toEqual(new Map());
  expect(await readRoomNames(anna.actor, [])).toEqual(new Map());
});
