import { describe, expect, test } from "bun:test";
import { config, overrideConfig, publicUrl } from "#config";
import { updateProfile } from "#modules/identity";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { createRoom } from "../membership/create-room.ts";
import { inviteToRoom, renewInvite } from "../membership/invite-to-room.ts";
import { joinByCode } from "../membership/join-room.ts";
import { listRooms } from "../membership/list-rooms.ts";
import { readRoom } from "./find-room.ts";
import { listParticipants } from "./participants.ts";
import { registerRoomGuards } from "./room-guards.ts";
import { aPair, aRoom, someone, unthrottled } from "./rooms.fixture.ts";

useDatabase();
unthrottled();

const nowhere = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;

describe("opening a room", () => {
  test("makes its creator the seller, or the buyer if chosen", async () => {
    const person = await someone();
    const selling = await createRoom(person.actor, { name: "  Steam account ", description: " " });
    expect(selling).toMatchObject({
      ok: true,
      room: {
        name: "Steam account",
        description: null,
        createdById: person.id,
        status: "active",
        role: "seller",
      },
    });
    const buying = await createRoom(person.actor, { name: "Wanted", role: "buyer" });
    expect(buying.ok && buying.room.participants).toMatchObject([{ id: person.id, role: "buyer" }]);
  });

  test.each([
    ...[
      "Midman notice",
      "Мидмэн",
      "Төлбөр баталгаажлаа: 50,000 ₮",
      "Төлбөрийн мэдэгдэл",
      "QPay төлөгдлөө",
      ...["PaymentReceived", "ТөлбөрБаталгаажлаа", "🅼idman team", "Миддман", "Кьюпэй"],
    ].map((name) => [name, "validation.roomNameReserved"] as const),
    ...[
      "steam-sale.mn",
      "https://evil.example/x",
      "Бүртгэл t.me/bat",
      "bat@example.mn",
      "evil.мн",
      "evil[.]com",
    ].map((name) => [name, "validation.roomNameLink"] as const),
    ["Бүртгэл ✅", "validation.nameSeal"],
    ...["ꓟꓲꓓꓟꓮꓠ", "Ꮇidman team", "Μy ꓮccount"].map((name) => [name, "validation.roomNameAlphabet"] as const),
  ] as const)(
    "refuses the name %s, which imitates Midman or contains a link, with the reason",
    async (name, why) => {
      const done = await createRoom((await someone()).actor, { name });
      expect(done).toEqual({ ok: false, code: "VALIDATION", fields: { name: [why] } });
    },
  );

  test.each([
    ...[
      "PUBG 12 000 000 UC",
      "12 000 000 UC",
      "PUBGийн UC",
      "Fortnite V-Bucks 💎",
      "原神 account",
      "BoldShop",
    ],
    ...["ᠮᠣᠩᠭᠣᠯ ᠨᠡᠷᠡ", "Боржигон Бат", "Skin №5 – ★ AK-47", "50'000₮"],
    "COD operator",
    "Bank heist GTA",
    "Ө. Бат-тай",
    "CS2 skin v1.2",
    "iPhone 15",
  ])("accepts %s, an ordinary name", async (name) => {
    expect(await createRoom((await someone()).actor, { name })).toMatchObject({ ok: true });
  });

  test.each([
    [{}, { name: ["validation.roomNameMissing"] }],
    [{ name: " " }, { name: ["validation.roomNameMissing"] }],
    [{ name: "ab" }, { name: ["validation.roomNameShort"] }],
    [{ name: "  a " }, { name: ["validation.roomNameShort"] }],
    [{ name: "x".repeat(81) }, { name: ["validation.roomNameLong"] }],
    [{ name: "abc\u0000" }, { name: ["validation.invalid"] }],
    [{ name: "\u200b\u200b\u200b" }, { name: ["validation.roomNameMissing"] }],
    [{ name: "\u200d\u200d\u200d" }, { name: ["validation.roomNameMissing"] }],
    [{ name: "\u200dabc" }, { name: ["validation.characters"] }],
    [{ name: "M\u0456dman: payment confirmed" }, { name: ["validation.roomNameReserved"] }],
    [{ name: "Payment confirmed \u2705" }, { name: ["validation.nameSeal"] }],
    [
      { name: "abc", description: "Midman notice: Payment confirmed" },
      { description: ["validation.descriptionReserved"] },
    ],
    [{ name: "abc", description: "x".repeat(501) }, { description: ["validation.roomDescriptionLong"] }],
  ])("is refused for %p", async (input, fields) => {
    const person = await someone();
    expect(await createRoom(person.actor, input)).toEqual({ ok: false, code: "VALIDATION", fields });
    const listed = await listRooms(person.actor);
    expect(listed.ok && listed.rooms).toEqual([]);
  });

  test("is refused for invalid forms", async () => {
    const person = await someone();
    for (const input of [null, 5, "x", [], { name: {} }, { name: "abc", role: "admin" }]) {
      expect(await createRoom(person.actor, input)).toMatchObject({ ok: false, code: "VALIDATION" });
    }
  });

  test("needs a signed-in person", async () => {
    const visitor = { kind: "visitor", ip: "1.1.1.1", device: "", language: "en", requestId: "r" } as const;
    expect(await createRoom(visitor, { name: "abc" })).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  });
});

describe("a room", () => {
  test("is seen by its members, newest first in their list, and by nobody else", async () => {
    const { seller, buyer, roomId } = await aPair();
    const newer = await aRoom(buyer);
    const stranger = await someone();
    const listed = await listRooms(buyer.actor);
    expect(listed.ok && listed.rooms.map(({ id }) => id)).toEqual([newer.id, roomId]);
    const seen = await readRoom(seller.actor, roomId);
    expect(seen).toMatchObject({ ok: true, lastSeq: 1, room: { id: roomId, role: "seller" } });
    expect(await readRoom(stranger.actor, roomId)).toEqual(nowhere);
    expect(await listParticipants(stranger.actor, roomId)).toEqual(nowhere);
    expect(await inviteToRoom(stranger.actor, roomId)).toEqual(nowhere);
    expect(await renewInvite(stranger.actor, roomId)).toEqual(nowhere);
  });

  test("shows the last four characters of the other side's contacts until its trade allows more", async () => {
    const { seller, buyer, roomId } = await aPair();
    await updateProfile(buyer.actor, { phoneNumber: "+97699112233", bankAccount: "5001234567" });
    const masked = await listParticipants(seller.actor, roomId);
    expect(masked.ok && masked.participants[1]).toMatchObject({
      phoneNumber: "••••2233",
      bankAccount: "••••4567",
    });
    expect(masked.ok && masked.participants[1]?.email).toMatch(/^[a-z]•••@example\.mn$/);
    const own = await listParticipants(buyer.actor, roomId);
    expect(own.ok && own.participants[1]).toMatchObject({ bankAccount: "5001234567" });
    const undo = registerRoomGuards({ maskContacts: async () => "none" });
    const open = await listParticipants(seller.actor, roomId);
    undo();
    expect(open.ok && open.participants[1]).toMatchObject({ bankAccount: "5001234567" });
    const undoEnded = registerRoomGuards({ maskContacts: async () => "account" });
    const ended = await listParticipants(seller.actor, roomId);
    undoEnded();
    expect(ended.ok && ended.participants[1]).toMatchObject({
      phoneNumber: "+97699112233",
      bankAccount: "••••4567",
    });
    const listed = await listRooms(seller.actor);
    expect(listed.ok && listed.rooms[0]?.participants[1]).toMatchObject({ bankAccount: "••••4567" });
  });
});

describe("an invite", () => {
  test("is a code and a link to /chat, unchanged until renewed", async () => {
    const { seller, buyer, roomId, inviteCode } = await aPair();
    const link = `${publicUrl()}/i/${inviteCode}`;
    expect(await inviteToRoom(buyer.actor, roomId)).toEqual({ ok: true, inviteCode, inviteLink: link });
    const renewed = await renewInvite(seller.actor, roomId);
    expect(renewed.ok ? renewed.inviteCode : inviteCode).not.toBe(inviteCode);
    const stranger = await someone();
    expect(await joinByCode(stranger.actor, { code: inviteCode })).toEqual({
      ok: false,
      code: "INVITE_INVALID",
    });
  });

  test("can be renewed as often as people need, with a limit", async () => {
    const { seller, roomId } = await aPair();
    const { THROTTLE_FACTOR } = config();
    overrideConfig({ THROTTLE_FACTOR: 1 });
    const all = await Promise.all(Array.from({ length: 22 }, () => renewInvite(seller.actor, roomId)));
    overrideConfig({ THROTTLE_FACTOR });
    expect(all.filter((one) => !one.ok && one.code === "THROTTLED")).toHaveLength(2);
  });
});
