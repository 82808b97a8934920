// In a test process each password is hashed once at its real cost; the same password has the same hash from then on. Tests register thousands of
// people with a few passwords, and hashing would take a tenth of their time. Servers that tests start are other processes and hash every time.
const { hash } = Bun.password;
const hashes = new Map<string, Promise<string>>();

const hashOnce: typeof hash = (password, options) => {
  const key = JSON.stringify([String(password), options]);
  const known = hashes.get(key) ?? hash.call(Bun.password, password, options);
  hashes.set(key, known);
  return known;
};

/** Runs a test's work with `Bun.password.hash` as it is, so that each call makes a salt of its own. */
export async function withoutHashCache<T>(work: () => Promise<T>): Promise<T> {
  Bun.password.hash = hash;
  try {
    return await work();
  } finally {
    Bun.password.hash = hashOnce;
  }
}

Bun.password.hash = hashOnce;
