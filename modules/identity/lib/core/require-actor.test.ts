import { describe, expect, test } from "bun:test";
import type { Member } from "./actor.ts";
import { visitor } from "./people.fixture.ts";
import { requireAdmin, requireFreshAdmin, requireFreshLogin, requireUser } from "./require-actor.ts";

const at = new Date("2026-03-01T10:00:00Z");
const member = (parts: Partial<Member> = {}): Member => ({
  ...visitor(),
  kind: "user",
  userId: 7,
  sessionId: 70,
  username: "bat",
  displayName: "Bat",
  email: "bat@example.mn",
  avatarInitials: "BA",
  isAdmin: false,
  authenticatedAt: at,
  mustChangePassword: false,
  mustSetUpFactor: false,
  mustChooseName: false,
  mustAgree: false,
  mustUsePasskey: false,
  restriction: null,
  ...parts,
});

describe("what an actor must be", () => {
  test("a visitor has no user", () => {
    const refused = { ok: false, code: "AUTH_REQUIRED" } as const;
    expect(requireUser(visitor())).toEqual(refused);
    expect(requireAdmin(visitor())).toEqual(refused);
    expect(requireFreshLogin(visitor(), at)).toEqual(refused);
  });

  test("a member is a member, and not an administrator", () => {
    const actor = member();
    expect(requireUser(actor)).toEqual({ ok: true, member: actor });
    expect(requireAdmin(actor)).toEqual({ ok: false, code: "ADMIN_REQUIRED" });
  });

  test("an administrator is both", () => {
    const actor = member({ isAdmin: true });
    expect(requireUser(actor)).toEqual({ ok: true, member: actor });
    expect(requireAdmin(actor)).toEqual({ ok: true, member: actor });
  });

  test("someone who must change the password may do nothing else", () => {
    const refused = { ok: false, code: "PASSWORD_CHANGE_REQUIRED" } as const;
    for (const isAdmin of [true, false]) {
      const actor = member({ mustChangePassword: true, isAdmin });
      expect(requireUser(actor)).toEqual(refused);
      expect(requireFreshLogin(actor, at)).toEqual(refused);
    }
    expect(requireAdmin(member({ mustChangePassword: true, isAdmin: true }))).toEqual(refused);
  });

  test("an administrator who must set up a second factor has their own account, and not the back office", () => {
    const actor = member({ isAdmin: true, mustSetUpFactor: true });
    const refused = { ok: false, code: "SECOND_FACTOR_SETUP_REQUIRED" } as const;
    expect(requireAdmin(actor)).toEqual(refused);
    expect(requireFreshAdmin(actor, at)).toEqual(refused);
    expect(requireUser(actor)).toEqual({ ok: true, member: actor });
    expect(requireFreshLogin(actor, at)).toEqual({ ok: true, member: actor });
    expect(requireAdmin({ ...actor, mustChangePassword: true })).toMatchObject({
      code: "PASSWORD_CHANGE_REQUIRED",
    });
  });

  test("an administrator who must use a passkey has no back office, and no fresh login by password", () => {
    const actor = member({ isAdmin: true, mustUsePasskey: true });
    expect(requireAdmin(actor)).toEqual({ ok: false, code: "PASSKEY_REQUIRED" });
    expect(requireFreshAdmin(actor, at)).toEqual({ ok: false, code: "PASSKEY_REQUIRED" });
    expect(requireFreshLogin(actor, at)).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
    expect(requireUser(actor)).toEqual({ ok: true, member: actor });
  });

  test("a password counts for ten minutes", () => {
    const actor = member();
    const later = (ms: number) => new Date(at.getTime() + ms);
    expect(requireFreshLogin(actor, later(600_000))).toEqual({ ok: true, member: actor });
    expect(requireFreshLogin(actor, later(600_001))).toEqual({ ok: false, code: "REAUTH_REQUIRED" });
  });
});
