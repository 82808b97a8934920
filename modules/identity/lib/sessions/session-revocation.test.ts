import { afterEach, describe, expect, test } from "bun:test";
import { publish } from "#db/bus";
import { transaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database.ts";
import { someone } from "../core/people.fixture.ts";
import { logout } from "./logout.ts";
import { onSessionsEnded, type SessionsEnded } from "./session-revocation.ts";
import { endSessionsOf } from "./sessions.ts";

useDatabase();

describe("the end of a session", () => {
  let stop = () => {};
  afterEach(() => stop());

  function listen(): SessionsEnded[] {
    const heard: SessionsEnded[] = [];
    stop = onSessionsEnded((ended) => heard.push(ended));
    return heard;
  }

  test("is told after the commit, to whoever asked to hear of it", async () => {
    const person = await someone();
    const heard = listen();
    await logout(person.actor);
    await Bun.sleep(10);
    expect(heard).toEqual([{ userId: person.id, sessionId: person.actor.sessionId }]);
    stop();
    await logout((await someone()).actor);
    expect(heard).toHaveLength(1);
  });

  test("is not told when it did not happen", async () => {
    const person = await someone();
    const heard = listen();
    const undone = transaction(async (tx) => {
      await endSessionsOf(tx, person.id);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await Bun.sleep(10);
    expect(heard).toEqual([]);
  });

  test("garbage on the bus is not heard", async () => {
    const heard = listen();
    for (const message of ["", "{", "null", "[]", '{"userId":"1","sessionId":2}'])
      publish("sessions", message);
    await Bun.sleep(10);
    expect(heard).toEqual([]);
  });
});
