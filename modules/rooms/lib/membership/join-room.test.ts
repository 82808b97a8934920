import { describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  aPair,
  aRoom,
  inviteCodeOf,
  seats,
  someone,
  unthrottled,
  withoutTrades,
} from "../core/rooms.fixture.ts";
import { readHistory } from "../messages/history.ts";
import { sendMessage } from "../messages/send-message.ts";
import { createRoom } from "./create-room.ts";
import { joinByCode } from "./join-room.ts";
import { leaveRoom } from "./leave-room.ts";
import { readInvitation } from "./read-invitation.ts";

useDatabase();
unthrottled();
withoutTrades();

describe("joining", () => {
  test("takes the free place, with a notice and a log entry", async () => {
    const [creator, other] = await Promise.all([someone("Creator"), someone("Other")]);
    const made = await createRoom(creator.actor, { name: "Wanted", role: "buyer" });
    if (!made.ok) throw new Error(made.code);
    const joined = await joinByCode(other.actor, { code: ` ${made.room.inviteCode?.toLowerCase()} ` });
    expect(joined).toMatchObject({ ok: true, chatRoom: { id: made.room.id, role: "seller" } });
    expect(await seats(made.room.id)).toMatchObject({ buyerId: creator.id, sellerId: other.id });
    const read = await readHistory(creator.actor, made.room.id);
    expect(read.ok && read.messages).toMatchObject([
      {
        type: "system",
        senderId: null,
        content: "The seller joined the chat",
        notice: {
          code: "joined",
          params: { userId: other.id, role: "seller" },
          person: { id: other.id, displayName: "Other" },
        },
      },
    ]);
    expect((await listEntries({ action: "room_joined", userId: other.id })).entries).toHaveLength(1);
  });

  test("again is harmless; a third person finds the room full", async () => {
    const { seller, buyer, roomId, inviteCode } = await aPair();
    for (const { actor } of [seller, buyer]) {
      expect(await joinByCode(actor, { code: inviteCode })).toMatchObject({
        ok: true,
        chatRoom: { id: roomId },
      });
    }
    const third = await someone();
    expect(await joinByCode(third.actor, { code: inviteCode })).toEqual({ ok: false, code: "ROOM_FULL" });
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages).toHaveLength(1);
  });

  test("by ten at once fills one place", async () => {
    const creator = await someone();
    const room = await aRoom(creator);
    const others = await Promise.all(Array.from({ length: 10 }, () => someone()));
    const tries = await Promise.all(others.map(({ actor }) => joinByCode(actor, { code: room.inviteCode })));
    expect(tries.filter(({ ok }) => ok)).toHaveLength(1);
    expect(tries.filter((joined) => !joined.ok && joined.code === "ROOM_FULL")).toHaveLength(9);
  });

  test.each([
    ["abc", "VALIDATION"],
    ["AAAAAAAAAA", "INVITE_INVALID"],
    ["not a code at all", "INVITE_INVALID"],
    ["ABCDE\u000023456", "INVITE_INVALID"],
    [null, "VALIDATION"],
  ])("with %p is refused with %s", async (code, refusal) => {
    const person = await someone();
    expect(await joinByCode(person.actor, { code })).toMatchObject({ ok: false, code: refusal });
  });

  test("is throttled, so codes cannot be guessed", async () => {
    const person = await someone();
    overrideConfig({ THROTTLE_FACTOR: 0.1 });
    const tries = [];
    for (const code of ["AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"])
      tries.push(await joinByCode(person.actor, { code }));
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
    expect(tries.map((joined) => !joined.ok && joined.code)).toEqual([
      "INVITE_INVALID",
      "INVITE_INVALID",
      "THROTTLED",
    ]);
  });

  test("is throttled per network of addresses, and the neighbouring network is not", async () => {
    const tried = async (net: string) => {
      const person = await someone();
      const ip = `${net}::${person.id.toString(16)}`;
      const joined = await joinByCode({ ...person.actor, ip }, { code: "AAAAAAAAAA" });
      return !joined.ok && joined.code;
    };
    overrideConfig({ THROTTLE_FACTOR: 0.05 });
    try {
      const answers = [];
      for (const net of ["1", "1", "1", "1", "2"]) answers.push(await tried(`2001:db8:5:${net}`));
      expect(answers).toEqual([
        ...["INVITE_INVALID", "INVITE_INVALID", "INVITE_INVALID", "THROTTLED"],
        "INVITE_INVALID",
      ]);
    } finally {
      overrideConfig({ THROTTLE_FACTOR: 10_000 });
    }
  });

  test("takes an invite that was made since somebody left: the earlier ones have no effect", async () => {
    const { seller, buyer, roomId, inviteCode } = await aPair();
    await leaveRoom(buyer.actor, roomId);
    const stranger = await someone("Third");
    for (const { actor } of [buyer, stranger]) {
      expect(await joinByCode(actor, { code: inviteCode })).toEqual({ ok: false, code: "INVITE_INVALID" });
      expect(await readInvitation(actor, inviteCode)).toEqual({ ok: false, code: "INVITE_INVALID" });
    }
    const code = await inviteCodeOf(seller, roomId);
    expect(await joinByCode(buyer.actor, { code })).toMatchObject({ ok: true, chatRoom: { id: roomId } });
    await leaveRoom(seller.actor, roomId);
    expect(await joinByCode(seller.actor, { code })).toEqual({ ok: false, code: "INVITE_INVALID" });
    const back = await joinByCode(seller.actor, { code: await inviteCodeOf(buyer, roomId) });
    expect(back).toMatchObject({ ok: true, chatRoom: { id: roomId } });
  });

  test("after somebody left shows none of their messages, unless it is the same person", async () => {
    const { seller, buyer, roomId } = await aPair();
    await sendMessage(seller.actor, roomId, { content: "for the first buyer" });
    await leaveRoom(buyer.actor, roomId);
    await sendMessage(seller.actor, roomId, { content: "for whoever comes" });
    const next = await someone("Next");
    await joinByCode(next.actor, { code: await inviteCodeOf(seller, roomId) });
    const read = await readHistory(next.actor, roomId, { after: 0 });
    expect(read.ok && read.messages.map(({ content }) => content)).toEqual([
      "for whoever comes",
      "The buyer joined the chat",
    ]);
    await leaveRoom(next.actor, roomId);
    await joinByCode(next.actor, { code: await inviteCodeOf(seller, roomId) });
    const again = await readHistory(next.actor, roomId);
    expect(again.ok && again.messages[0]?.content).toBe("for whoever comes");
  });
});
