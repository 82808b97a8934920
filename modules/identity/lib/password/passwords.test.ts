import { describe, expect, spyOn, test } from "bun:test";
import { withoutHashCache } from "../../../../tests/support/hash-passwords-once.ts";
import { findPasswordProblem, hashPassword, isPasswordCorrect, needsRehash } from "./passwords.ts";

describe("passwords", () => {
  test("match their own hash, and no other", async () => {
    const hash = await hashPassword("нууц үг 1", "operator");
    expect(await isPasswordCorrect("нууц үг 1", hash, "operator")).toBe(true);
    expect(await isPasswordCorrect("нууц үг 2", hash, "operator")).toBe(false);
    expect(await withoutHashCache(() => hashPassword("нууц үг 1", "operator"))).not.toBe(hash);
  });

  test("never match if there is no user", async () => {
    expect(await isPasswordCorrect("anything", undefined, "operator")).toBe(false);
    expect(await isPasswordCorrect("anything", null, "operator")).toBe(false);
  });

  test("are rehashed when the cost was another", async () => {
    const cheap = await Bun.password.hash("a word", { algorithm: "argon2id", memoryCost: 4096, timeCost: 3 });
    expect(needsRehash(cheap)).toBe(true);
    expect(needsRehash(await hashPassword("a word", "operator"))).toBe(false);
    expect(await isPasswordCorrect("a word", cheap, "operator")).toBe(true);
  });

  test("cost the same one argon2 for an unknown user as for a known one", async () => {
    const hash = await hashPassword("a fine word", "operator");
    const verify = spyOn(Bun.password, "verify");
    await isPasswordCorrect("wrong word", hash, "operator");
    await isPasswordCorrect("wrong word", undefined, "operator");
    const costs = verify.mock.calls.map(([, checked]) => String(checked).split("$").slice(0, 4));
    verify.mockRestore();
    expect(costs).toEqual(Array(2).fill(["", "argon2id", "v=19", "m=19456,t=2,p=1"]));
  });

  test("of the list are refused in any case, and for an administrator those below twelve characters", () => {
    expect(findPasswordProblem("iloveyou", false)).toBe("PASSWORD_COMMON");
    expect(findPasswordProblem("ILoveYou", false)).toBe("PASSWORD_COMMON");
    expect(findPasswordProblem("wassup", false)).toBe("PASSWORD_COMMON");
    expect(findPasswordProblem("ilovey", false)).toBeUndefined();
    expect(findPasswordProblem("eleven chrs", true)).toBe("PASSWORD_SHORT_FOR_ADMIN");
    expect(findPasswordProblem("twelve chars", true)).toBeUndefined();
    expect(findPasswordProblem("1qaz2wsx3edc", true)).toBe("PASSWORD_COMMON");
    expect(findPasswordProblem("# The 3,000", false)).toBeUndefined();
  });

  test("are refused if they are just a name, Midman's or one's own; besides other words it is allowed", () => {
    const bat = { username: "bat.erdene", email: "Bold77@example.mn" };
    for (const guessed of [
      "Midman2026!",
      "МИДМАН-МИДМАН",
      "midman escrow",
      "qpay!!",
      "Bat.Erdene99",
      "77 bold 77",
    ]) {
      expect([guessed, findPasswordProblem(guessed, false, bat)]).toEqual([guessed, "PASSWORD_GUESSABLE"]);
    }
    for (const fine of ["midman pays in june", "bold horses", "482913", "!?#-+&"]) {
      expect([fine, findPasswordProblem(fine, false, bat)]).toEqual([fine, undefined]);
    }
    expect(findPasswordProblem("bat.erdene 2026", false)).toBeUndefined();
    expect(findPasswordProblem("midmanmidman", true)).toBe("PASSWORD_GUESSABLE");
  });
});
