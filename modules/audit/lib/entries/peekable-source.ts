/** A source whose next item can be looked at before it is taken; undefined at its end. */
export type Peekable<T> = { peek(): Promise<T | undefined>; next(): Promise<T | undefined> };

/** Makes the items of a generator peekable. */
export function makePeekable<T>(source: AsyncGenerator<T>): Peekable<T> {
  let held: { value: T | undefined } | undefined;
  const pull = async () => {
    const { value, done } = await source.next();
    return { value: done ? undefined : value };
  };
  return {
    async peek() {
      held ??= await pull();
      return held.value;
    },
    async next() {
      const { value } = held ?? (await pull());
      held = undefined;
      return value;
    },
  };
}
