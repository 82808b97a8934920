import { afterEach, describe, expect, test } from "bun:test";
import { publishHint } from "#db/bus";
import { runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { someone } from "../core/people.fixture.ts";
import { signOut } from "./logout.ts";
import { type EndedSession, onSessionsEnded } from "./session-revocation.ts";
import { endSessionsOf } from "./sessions.ts";

useDatabase();

describe("the end of a session", () => {
  let stop = () => {};
  afterEach(() => stop());

  function listen(): EndedSession[] {
    const heard: EndedSession[] = [];
    stop = onSessionsEnded((ended) => heard.push(ended));
    return heard;
  }

  test("is announced after the commit, to every subscriber", async () => {
    const person = await someone();
    const heard = listen();
    await signOut(person.actor);
    await Bun.sleep(10);
    expect(heard).toEqual([{ userId: person.id, sessionId: person.actor.sessionId }]);
    stop();
    await signOut((await someone()).actor);
    expect(heard).toHaveLength(1);
  });

  test("is not announced if it did not happen", async () => {
    const person = await someone();
    const heard = listen();
    const undone = runInTransaction(async (tx) => {
      await endSessionsOf(tx, person.id);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await Bun.sleep(10);
    expect(heard).toEqual([]);
  });

  test("ignores garbage on the bus", async () => {
    const heard = listen();
    for (const message of ["", "{", "null", "[]", '{"userId":"1","sessionId":2}'])
      publishHint("sessions", message);
    await Bun.sleep(10);
    expect(heard).toEqual([]);
  });
});
