// The server on a machine whose clock jumps: what it is set forward or back by, in milliseconds, stands in CLOCK_FILE. As on a
// real machine only the time of day jumps; timers and the monotonic clock go on.
import { readFileSync } from "node:fs";

const clockFile = process.env.CLOCK_FILE ?? "";
const RealDate = Date;
let clockOffset = Number(readFileSync(clockFile, "utf8"));
setInterval(() => {
  clockOffset = Number(readFileSync(clockFile, "utf8"));
}, 20).unref();

class JumpingDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + clockOffset);
    else super(...(parts as [number]));
  }
  static override now(): number {
    return RealDate.now() + clockOffset;
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(RealDate, value);
  }
}
globalThis.Date = JumpingDate as DateConstructor;

await import("#app/server");
