import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { publicUrl } from "#config";
import { useDatabase } from "../../tests/support/database/test-database.ts";
import { expectMatch } from "../../tests/support/expect-match.ts";
import { roomsRoutes } from "./http.ts";
import {
  aPair,
  aRoom,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "./lib/core/rooms.fixture.ts";

/** Paths, payloads and replies of the chat calls. The server sets the statuses of refusals. */

useDatabase();
unthrottled();
withoutTrades();
const app = new Elysia().use(roomsRoutes);

async function call(
  person: TestPerson | null,
  method: string,
  path: string,
  body?: unknown,
  language = "en",
) {
  const reply = await app.handle(
    new Request(`http://localhost/api/chat${path}`, {
      method,
      headers: {
        "accept-language": language,
        ...(person && { cookie: person.cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  return { status: reply.status, body: (await reply.json()) as unknown };
}

describe("the chat calls", () => {
  test("open a room, list it, show it and delete it", async () => {
    const person = await someone();
    const made = await call(person, "POST", "/rooms", { name: "Steam", description: "An account" });
    const room = {
      id: expect.any(Number),
      name: "Steam",
      description: "An account",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      createdById: person.id,
      inviteCode: expect.stringMatching(/^[A-Z2-7]{10}$/),
      status: "active",
      role: "seller",
      participants: [
        {
          id: person.id,
          username: person.actor.username,
          displayName: "Bat Bold",
          email: person.actor.email,
          role: "seller",
          avatarInitials: "BB",
          phoneNumber: null,
          bankAccount: null,
          readSeq: 0,
          lastSeenAt: null,
        },
      ],
    };
    expect(made).toEqual({ status: 201, body: room });
    const { id } = made.body as { id: number };
    const card = { ...room, lastMessage: null, unread: 0, activityAt: room.createdAt };
    expect(await call(person, "GET", "/rooms")).toEqual({ status: 200, body: [card] });
    expect(await call(person, "GET", `/rooms/${id}`)).toEqual({ status: 200, body: made.body });
    expect(await call(person, "DELETE", `/rooms/${id}`)).toEqual({ status: 200, body: { success: true } });
    expect((await call(person, "GET", `/rooms/${id}`)).body).toEqual({
      ok: false,
      code: "CHAT_ROOM_NOT_FOUND",
    });
  });

  test("invite, join, list members, change roles and leave", async () => {
    const [creator, other] = await Promise.all([someone("Creator"), someone("Other")]);
    const room = await aRoom(creator);
    const invited = await call(creator, "POST", `/rooms/${room.id}/invite`);
    const code = room.inviteCode ?? "";
    expect(invited.body).toEqual({ inviteCode: code, inviteLink: `${publicUrl()}/i/${code}` });
    const joined = await call(other, "POST", "/join", { code });
    expect(joined.body).toMatchObject({ chatRoom: { id: room.id, role: "buyer" } });
    const there = await call(other, "GET", `/rooms/${room.id}/participants`);
    expect(there.body).toMatchObject([{ id: creator.id }, { id: other.id }]);
    const changed = await call(creator, "POST", `/rooms/${room.id}/participants/${other.id}/role`, {
      role: "seller",
    });
    expect(changed.body).toMatchObject({
      participants: [{ id: other.id, role: "seller" }, { id: creator.id }],
    });
    expect((await call(other, "POST", `/rooms/${room.id}/leave`)).body).toEqual({ success: true });
    const renewed = await call(creator, "POST", `/rooms/${room.id}/invite/renew`);
    expect(renewed.body).not.toEqual(invited.body);
  });

  test("send messages and page through them, notices in the reader's language", async () => {
    const { seller, buyer, roomId } = await aPair();
    const clientId = crypto.randomUUID();
    const message = { content: "Сайн уу", type: "chat", clientId };
    const sent = await call(seller, "POST", `/rooms/${roomId}/messages`, message);
    expect(sent).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        roomId,
        seq: 2,
        senderId: seller.id,
        clientId,
        type: "text",
        content: "Сайн уу",
        imageUrl: null,
        createdAt: expect.any(String),
      },
    });
    expect((await call(seller, "POST", `/rooms/${roomId}/messages`, message)).body).toEqual(sent.body);
    const read = await call(buyer, "GET", `/rooms/${roomId}/messages?after=1&limit=10`);
    expect(read.body).toEqual([sent.body]);
    const earlier = await call(
      buyer,
      "GET",
      `/rooms/${roomId}/messages?before=2`,
      undefined,
      "mn-MN,mn;q=0.9",
    );
    expect(earlier.body).toMatchObject([
      { seq: 1, type: "system", content: "Худалдан авагч өрөөнд нэгдлээ" },
    ]);
  });

  test("record how far someone has read", async () => {
    const { buyer, roomId } = await aPair();
    expect(await call(buyer, "POST", `/rooms/${roomId}/read`, { seq: 9 })).toEqual({
      status: 200,
      body: { readSeq: 1 },
    });
    for (const body of [undefined, {}, [], { seq: "1" }, { seq: -1 }]) {
      const refused = await call(buyer, "POST", `/rooms/${roomId}/read`, body);
      expectMatch(refused.body, {
        ok: false,
        code: "VALIDATION",
        fields: { seq: [expect.any(String)] },
      });
    }
  });

  const calls: [string, string, object | undefined][] = [
    ["GET", "", undefined],
    ["DELETE", "", undefined],
    ["GET", "/participants", undefined],
    ["GET", "/messages", undefined],
    ["POST", "/messages", { content: "x" }],
    ["POST", "/read", { seq: 1 }],
    ["POST", "/leave", undefined],
    ["POST", "/invite", undefined],
    ["POST", "/invite/renew", undefined],
    ["POST", "/participants/1/role", { role: "buyer" }],
  ];

  test.each(calls)(
    "%s /rooms/:id%s is hidden from a stranger, and asks a visitor to sign in",
    async (method, path, body) => {
      const { roomId } = await aPair();
      const stranger = await someone();
      const real = await call(stranger, method, `/rooms/${roomId}${path}`, body);
      const unreal = await call(stranger, method, `/rooms/999999${path}`, body);
      expect(real).toEqual(unreal);
      expect(real.body).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
      const nobody = await call(null, method, `/rooms/${roomId}${path}`, body);
      expect(nobody.body).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    },
  );
});
