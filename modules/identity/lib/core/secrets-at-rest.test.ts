import { expect, test } from "bun:test";
import { Secret } from "otpauth";
import { drainJobs } from "#db/jobs";
import { listMail } from "#modules/mailer";
import { readEveryRow } from "../../../../tests/support/database/all-rows.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { signInWithPassword } from "../login/login.ts";
import { changePassword } from "../password/change-password.ts";
import { forgotPassword } from "../password/forgot-password.ts";
import { withFactor } from "../second-factor/factor.fixture.ts";
import { someone, visitor } from "./people.fixture.ts";
import { useStillClock } from "./still-clock.fixture.ts";

useDatabase();
const clock = useStillClock();

test("no table stores a password or token in plain text, once its mail is sent", async () => {
  const person = await someone({ password: "an unmistakable word" });
  const again = await signInWithPassword(visitor(), person);
  await signInWithPassword(visitor(), { ...person, password: "a mistaken word" });
  await forgotPassword(visitor(), { email: person.email });
  await drainJobs(new Date(Date.now() + 60_000));
  const changed = await changePassword(person.actor, {
    currentPassword: person.password,
    newPassword: "a word after that",
  });
  if (!again.ok || !changed.ok) throw new Error("refused");

  const box = await listMail({ to: person.email });
  const links = box.ok ? box.mails.flatMap((mail) => mail.links) : [];
  const mailed = links.flatMap((link) => new URL(link).searchParams.get("token") ?? []);
  expect(new Set(mailed).size).toBe(2);
  const secrets = [
    ...["an unmistakable word", "a mistaken word", "a word after that"],
    ...[person.token, again.session.token, changed.session.token],
    ...mailed,
  ];
  for (const [table, rows] of await readEveryRow()) {
    // The development mailbox stands for people's own mailboxes: mailed secrets may be in it, but nowhere else.
    const hidden =
      table === "mailer.mailbox" ? secrets.filter((secret) => !mailed.includes(secret)) : secrets;
    expect([table, hidden.filter((secret) => rows.includes(secret))]).toEqual([table, []]);
  }
});

test("no table stores an authenticator secret, recovery code or ticket in plain text", async () => {
  const person = await withFactor(clock.at);
  const asked = await signInWithPassword(visitor(), person);
  if (asked.ok || asked.code !== "SECOND_FACTOR_REQUIRED") throw new Error("no ticket");
  const hex = Secret.fromBase32(person.secret).hex.toLowerCase();
  const grouped = person.recovery.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
  const secrets = [person.secret, hex, asked.ticket.token, ...person.recovery, ...grouped];
  for (const [table, rows] of await readEveryRow()) {
    expect([table, secrets.filter((secret) => rows.includes(secret))]).toEqual([table, []]);
  }
});

test("names, addresses and numbers are not in the log or in throttle keys", async () => {
  const person = await someone({ displayName: "Unmistakable Person" });
  await signInWithPassword(visitor(), person);
  const tables = await readEveryRow();
  for (const table of ["audit.entries", "base.throttle"]) {
    const rows = tables.get(table) ?? "";
    expect(rows.length).toBeGreaterThan(0);
    for (const personal of [person.username, person.email, "Unmistakable"])
      expect(rows).not.toContain(personal);
  }
});
