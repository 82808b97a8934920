import "bun:test";

/** Values that Bun 1.4's `toMatchObject` does not compare. */
type Uncompared =
  | Date
  | Map<unknown, unknown>
  | Set<unknown>
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | Headers
  | URLSearchParams
  | ((...given: never[]) => unknown);

/** The same type, with `never` in the place of every value that `toMatchObject` does not compare. */
type Comparable<T> = 0 extends 1 & T
  ? T
  : T extends Uncompared
    ? never
    : T extends object
      ? { [K in keyof T]: Comparable<T[K]> }
      : T;

declare module "bun:test" {
  interface Matchers<T = unknown> {
    /**
     * For times, maps, sets, patterns, errors and bytes use `expectMatch`: Bun accepts any of them for any other. Also for matchers
     * (`expect.any(…)`): Bun writes them into the object that was received.
     */
    toMatchObject<S extends object>(subset: S & Comparable<S>): void;
  }
}
