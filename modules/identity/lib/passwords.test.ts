import { describe, expect, spyOn, test } from "bun:test";
import { badPassword, hashPassword, needsRehash, passwordFits } from "./passwords.ts";

describe("passwords", () => {
  test("fit the hash they were made into, and no other", async () => {
    const hash = await hashPassword("нууц үг 1");
    expect(await passwordFits("нууц үг 1", hash)).toBe(true);
    expect(await passwordFits("нууц үг 2", hash)).toBe(false);
    expect(await hashPassword("нууц үг 1")).not.toBe(hash);
  });

  test("never fit where there is no user", async () => {
    expect(await passwordFits("anything", undefined)).toBe(false);
    expect(await passwordFits("anything", null)).toBe(false);
  });

  test("are hashed anew when the cost was another", async () => {
    const cheap = await Bun.password.hash("a word", { algorithm: "argon2id", memoryCost: 4096, timeCost: 3 });
    expect(needsRehash(cheap)).toBe(true);
    expect(needsRehash(await hashPassword("a word"))).toBe(false);
    expect(await passwordFits("a word", cheap)).toBe(true);
  });

  test("an unknown user costs the same one argon2 as a known one", async () => {
    const hash = await hashPassword("a fine word");
    const verify = spyOn(Bun.password, "verify");
    await passwordFits("wrong word", hash);
    await passwordFits("wrong word", undefined);
    const costs = verify.mock.calls.map(([, checked]) => String(checked).split("$").slice(0, 4));
    verify.mockRestore();
    expect(costs).toEqual(Array(2).fill(["", "argon2id", "v=19", "m=19456,t=2,p=1"]));
  });

  test("of the list are refused in any case, of an administrator below twelve letters too", () => {
    expect(badPassword("iloveyou", false)).toBe("PASSWORD_COMMON");
    expect(badPassword("ILoveYou", false)).toBe("PASSWORD_COMMON");
    expect(badPassword("wassup", false)).toBe("PASSWORD_COMMON");
    expect(badPassword("ilovey", false)).toBeUndefined();
    expect(badPassword("eleven chrs", true)).toBe("PASSWORD_SHORT_FOR_ADMIN");
    expect(badPassword("twelve chars", true)).toBeUndefined();
    expect(badPassword("1qaz2wsx3edc", true)).toBe("PASSWORD_COMMON");
    expect(badPassword("# The 3,000", false)).toBeUndefined();
  });
});
