/** Waits until something has come to pass; throws when it has not within `ms`. */
export async function waitUntil(what: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await Bun.sleep(10)) if (await what()) return;
  throw new Error("It did not come to pass");
}
