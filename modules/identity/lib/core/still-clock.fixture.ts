import { afterEach, beforeEach } from "bun:test";
import { setClock } from "#db/clock";

/** For tests: the clock stands still while each one runs, at `at`, which the test may move. */
export function useStillClock(): { at: Date } {
  const clock = { at: new Date() };
  let unset = () => {};
  beforeEach(() => {
    clock.at = new Date();
    unset = setClock(() => clock.at);
  });
  afterEach(() => unset());
  return clock;
}
