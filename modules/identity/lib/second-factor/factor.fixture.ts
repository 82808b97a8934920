import { Secret, TOTP } from "otpauth";
import { someone } from "../core/people.fixture.ts";
import { beginSecondFactor, confirmSecondFactor } from "./set-up-second-factor.ts";

// Test helpers: people with an authenticator app.

/** The code that an app with this secret shows, `steps` of 30 seconds after `at`. */
export function codeOf(secret: string, at: Date, steps = 0): string {
  const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });
  return app.generate({ timestamp: at.getTime() + steps * 30_000 });
}

/** A person who turned the second factor on with the code of the step before `at`; that code is used up. */
export async function withFactor(at: Date, person?: Awaited<ReturnType<typeof someone>>) {
  const owner = person ?? (await someone());
  const begun = await beginSecondFactor(owner.actor);
  if (!begun.ok) throw new Error(begun.code);
  const on = await confirmSecondFactor(owner.actor, { code: codeOf(begun.secret, at, -1) });
  if (!on.ok) throw new Error(on.code);
  // As the form parses them: shown with hyphens, stored without.
  const recovery = on.recoveryCodes.map((code) => code.replaceAll("-", ""));
  return { ...owner, secret: begun.secret, recovery };
}
