import { afterAll, beforeAll, beforeEach } from "bun:test";
import { type Config, config, overrideConfig } from "#config";
import { startPushService } from "./push-service.ts";

/**
 * Gives the test file that calls it a push service of its own, which pushes may go to; what reached it, and what it is still
 * to answer, is forgotten before each test. `settings` hold as long.
 */
export function usePushService(settings: Partial<Config> = {}) {
  const before = config();
  const service = startPushService();
  beforeAll(() => overrideConfig({ ...settings, PUSH_HOSTS: service.host }));
  beforeEach(() => {
    service.arrived.length = 0;
    service.answers.length = 0;
  });
  afterAll(() => {
    overrideConfig(before);
    service.stop();
  });
  return service;
}
