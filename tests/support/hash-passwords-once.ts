// In a test process each password is hashed once at its real cost; the same password has the same hash from then on. Tests register thousands of
// people with a few passwords, and hashing would take a tenth of their time. Servers that tests start are other processes and hash every time.
const { hash: hashAnew } = Bun.password;
const knownHashes = new Map<string, Promise<string>>();

const hashOnce: typeof hashAnew = (password, options) => {
  const key = JSON.stringify([String(password), options]);
  const known = knownHashes.get(key) ?? hashAnew.call(Bun.password, password, options);
  knownHashes.set(key, known);
  return known;
};

/** Runs a test's work with `Bun.password.hash` as it is, so that each call makes a salt of its own. */
export async function withoutHashCache<T>(work: () => Promise<T>): Promise<T> {
  Bun.password.hash = hashAnew;
  try {
    return await work();
  } finally {
    Bun.password.hash = hashOnce;
  }
}

Bun.password.hash = hashOnce;
