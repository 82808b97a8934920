import { describe, expect, spyOn, test } from "bun:test";
import type { z } from "zod";
import {
  adminLoginInput,
  avatarInitials,
  changePasswordForm,
  forgotPasswordInput,
  loginInput,
  profileInput,
  registerInput,
  resetPasswordForm,
} from "./forms.ts";

const person = {
  username: "bataa",
  password: "a fine word",
  displayName: "Bat Bold",
  email: "bat@example.mn",
};

function messages(schema: z.ZodType, input: unknown): Record<string, string[]> {
  const parsed = schema.safeParse(input);
  const found: Record<string, string[]> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const name = issue.path.join(".");
    found[name] = [...(found[name] ?? []), issue.message];
  }
  return found;
}

describe("the forms of identity", () => {
  test("login needs three and six characters", () => {
    expect(messages(loginInput, { username: "ab", password: "12345" })).toEqual({
      username: ["validation.username"],
      password: ["validation.password"],
    });
    expect(messages(loginInput, {})).toEqual({
      username: ["validation.username"],
      password: ["validation.password"],
    });
    expect(messages(loginInput, { username: 77_777, password: { $ne: 1 } })).toEqual({
      username: ["validation.text"],
      password: ["validation.password"],
    });
  });

  test("the administrators' login needs both fields, of any length", () => {
    expect(messages(adminLoginInput, { username: "", password: "" })).toEqual({
      username: ["validation.usernameRequired"],
      password: ["validation.passwordRequired"],
    });
    expect(messages(adminLoginInput, { username: "a", password: "b" })).toEqual({});
  });

  test("registration shows each wrong field's own message", () => {
    const wrong = { username: "a", password: "b", displayName: "c", email: "d", avatarInitials: "xyz" };
    expect(messages(registerInput, wrong)).toEqual({
      username: ["validation.username"],
      password: ["validation.password"],
      displayName: ["validation.displayName"],
      email: ["validation.email"],
      avatarInitials: ["validation.avatarInitials"],
    });
  });

  test.each([["bat.bold-77_x"], ["Бат_Болд"], ["Өнөржаргал"], ["777"]])("%s is a username", (username) => {
    expect(messages(registerInput, { ...person, username })).toEqual({});
  });

  test.each([["bat bold"], ["аdmin"], ["bat@bold"], ["дoрж"], ["a/b"], ["deleted#1"], ["<script>"]])(
    "%s is not a username",
    (username) => {
      expect(messages(registerInput, { ...person, username })).toEqual({
        username: ["validation.usernameCharacters"],
      });
    },
  );

  test("control characters, direction overrides and half characters are refused", () => {
    for (const bad of ["\u0000", "\u0007", "\u202e", "\u2066", "\ud800", "\n"]) {
      const value = `abc${bad}defg`;
      const found = messages(registerInput, {
        username: value,
        password: value,
        displayName: value,
        email: `${value}@x.mn`,
        avatarInitials: bad,
      });
      expect(Object.values(found).flat()).toEqual(Array(5).fill("validation.characters"));
      expect(messages(profileInput, { phoneNumber: value, bankAccount: value })).toEqual({
        phoneNumber: ["validation.characters"],
        bankAccount: ["validation.characters"],
      });
    }
  });

  test("every field has a maximum length", () => {
    const long = "x".repeat(100_000);
    const found = messages(registerInput, {
      username: long,
      password: long,
      displayName: long,
      email: `${long}@x.mn`,
      avatarInitials: long,
    });
    expect(Object.keys(found).sort()).toEqual(Object.keys({ ...person, avatarInitials: "" }).sort());
    expect(messages(profileInput, { phoneNumber: long })).toEqual({ phoneNumber: ["validation.tooLong"] });
    expect(messages(loginInput, { username: "bataa", password: "я".repeat(101) })).toEqual({
      password: ["validation.tooLong"],
    });
  });

  test("a composed and a decomposed letter are the same in names and passwords", () => {
    const parsed = registerInput.parse({
      ...person,
      displayName: "Ба\u0438\u0306",
      password: "\u0438\u0306-secret",
    });
    expect(parsed.displayName).toBe("Бай");
    expect(parsed.password).toBe("й-secret");
  });

  test("a password keeps its spaces, a name does not", () => {
    const parsed = registerInput.parse({ ...person, displayName: "  Bat  ", password: "  sp ace  " });
    expect([parsed.displayName, parsed.password]).toEqual(["Bat", "  sp ace  "]);
  });

  test("two different new passwords are refused beside the second field", () => {
    const reset = { token: "t", newPassword: "a fine word", confirmPassword: "another word" };
    expect(messages(resetPasswordForm, reset)).toEqual({
      confirmPassword: ["validation.passwordsDontMatch"],
    });
    expect(messages(changePasswordForm, { ...reset, currentPassword: "x" })).toEqual({
      confirmPassword: ["validation.passwordsDontMatch"],
    });
  });

  test("an email address is required", () => {
    expect(messages(forgotPasswordInput, { email: "nobody" })).toEqual({ email: ["validation.email"] });
    expect(forgotPasswordInput.parse({ email: " a@b.mn " })).toEqual({ email: "a@b.mn" });
  });

  test.each([
    ["", "Bat Bold", "BB"],
    [undefined, "Bat", "BA"],
    [null, "бат эрдэнэ дорж", "БЭ"],
    ["xy", "Bat Bold", "XY"],
    ["z", "Bat Bold", "Z"],
    [" ", " Oyu  Tsetseg ", "OT"],
    ["", "ß1", "SS"],
    ["", "𝒜b", "𝒜B"],
  ])("the initials of %p and %p are %s", (given, name, expected) => {
    expect(avatarInitials(given, name)).toBe(expected);
  });
});

test("a far too long text is refused before its letters are composed, which would block everyone", () => {
  const marks = "e\u0301".repeat(250_000);
  const composed = spyOn(String.prototype, "normalize");
  const parsed = [
    loginInput.safeParse({ username: marks, password: marks }),
    registerInput.safeParse({
      ...{ username: marks, password: marks, displayName: marks, email: marks, avatarInitials: marks },
    }),
  ];
  const times = composed.mock.calls.length;
  composed.mockRestore();
  expect(parsed.map(({ success }) => success)).toEqual([false, false]);
  expect(times).toBe(0);
});
