import { expect, test } from "bun:test";
import { unpackMessage } from "#format";
import { loginInput } from "#forms/identity";
import { readForm, refusalToast } from "./posted-forms.ts";

function posted(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return body;
}

const throttled = { ok: false, code: "THROTTLED", retryAfterSeconds: 30 } as const;

test("a refusal reaches its form with the numbers its text needs", () => {
  const form = readForm("login", posted({ username: "bold", password: "secret" }), loginInput);
  const answer = form.ok ? form.refuse(throttled) : undefined;
  const [message = ""] = answer?.data.result.error?.[""] ?? [];
  expect(unpackMessage(message)).toEqual({ key: "errors.THROTTLED", params: { seconds: "30" } });
  expect(refusalToast(throttled).params).toEqual({ seconds: 30 });
});

test("what was typed comes back, but never a password", () => {
  const form = readForm("login", posted({ username: "b", password: "a secret" }), loginInput);
  const answer = form.ok ? undefined : form.answer;
  expect(answer?.data.result.initialValue).toEqual({ username: "b" });
  expect(answer?.data.result.error?.username).toEqual(["validation.username"]);
});

test("every message of an empty form is Midman's own", () => {
  const form = readForm("login", posted({}), loginInput);
  const errors = form.ok ? {} : (form.answer.data.result.error ?? {});
  const keys = Object.values(errors).flatMap((messages) => messages ?? []);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => !/^(validation|errors)\./.test(key))).toEqual([]);
});

test("a field's name creates no list or object, however large", () => {
  const from = performance.now();
  for (const name of ["username[99999999]", "x[4000000000].y", "__proto__.x", "a.b"]) {
    const form = readForm("login", posted({ [name]: "x", password: "a secret" }), loginInput);
    const answer = form.ok ? undefined : form.answer;
    expect(answer?.data.result.initialValue).toEqual({});
    expect(answer?.data.result.error?.username).toEqual(["validation.username"]);
  }
  const often = new FormData();
  for (let at = 0; at < 50_000; at++) often.append("username", "x");
  const form = readForm("login", often, loginInput);
  expect(form.ok ? undefined : form.answer.data.result.error?.username).toEqual(["validation.username"]);
  expect(performance.now() - from).toBeLessThan(1_000);
});
