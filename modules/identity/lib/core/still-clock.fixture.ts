import { afterEach, beforeEach } from "bun:test";
import { setClock } from "#db/clock";

/** For tests: freezes the clock during each test at `at`, which the test may change. */
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
