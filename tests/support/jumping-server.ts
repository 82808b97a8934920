// The server on a machine whose clock jumps: what it is set forward or back by, in milliseconds, stands in CLOCK_FILE. As on a
// real machine only the time of day jumps; timers and the monotonic clock go on.
import { readFileSync } from "node:fs";

const file = process.env.CLOCK_FILE ?? "";
const Real = Date;
let offset = Number(readFileSync(file, "utf8"));
setInterval(() => {
  offset = Number(readFileSync(file, "utf8"));
}, 20).unref();

class Jumping extends Real {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(Real.now() + offset);
    else super(...(parts as [number]));
  }
  static override now(): number {
    return Real.now() + offset;
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(Real, value);
  }
}
globalThis.Date = Jumping as DateConstructor;

await import("#app/server");
