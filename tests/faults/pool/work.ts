import type { Sql, TransactionSql } from "postgres";

/** What the pool was asked, and what it said to it; held against the table at the end. */
export class Work {
  /** Rows whose writing was acknowledged, each to stand once. */
  readonly acknowledged = new Set<string>();
  /** Rows of transactions whose COMMIT was never asked: none may stand. */
  readonly undone = new Set<string>();
  /** Rows of one transaction, which stand all or none. */
  readonly together: [string, string][] = [];
  /** Queries and transactions that a lost connection ended. */
  lost = 0;
  readonly failures: string[] = [];
  private readonly waiting = new Map<Promise<unknown>, string>();
  private made = 0;

  constructor(private readonly client: Sql) {}

  /** One row outside of any transaction. */
  insert(): Promise<void> {
    const row = `alone ${++this.made}`;
    return this.watched(row, async () => {
      await this.client`INSERT INTO public.kept VALUES (${row})`;
      this.acknowledged.add(row);
    });
  }

  /** A number, which must be the answer to this query and to no other. `bytes` make the answer so long. */
  ask(bytes = 0): Promise<void> {
    const wanted = ++this.made;
    return this.watched(`question ${wanted}`, async () => {
      const [row] = await this.client`SELECT ${wanted}::int AS n, repeat('x', ${bytes}) AS long`;
      if (row?.n !== wanted || row?.long.length !== bytes)
        this.failures.push(`question ${wanted} was answered ${row?.n}`);
    });
  }

  /** As `ask`, in the way that sends many without waiting for the first to be described. */
  askSimply(): Promise<void> {
    const wanted = ++this.made;
    return this.watched(`question ${wanted}`, async () => {
      const [row] = await this.client.unsafe(`SELECT ${wanted} AS n`);
      if (row?.n !== wanted) this.failures.push(`question ${wanted} was answered ${row?.n}`);
    });
  }

  /** A short question, which may share its packet with others (`db/client/prepared-statements.ts`). */
  askBriefly(): Promise<void> {
    const wanted = ++this.made;
    return this.watched(`question ${wanted}`, async () => {
      const [row] = await this.client.unsafe("SELECT $1::int AS n", [wanted], { prepare: true });
      if (row?.n !== wanted) this.failures.push(`question ${wanted} was answered ${row?.n}`);
    });
  }

  /** Two rows in one transaction; `between` runs once the first is written, `last` right before COMMIT. */
  commit(between: Hook = async () => {}, last: Hook = async () => {}): Promise<void> {
    const rows: [string, string] = [`pair ${++this.made}`, `pair ${++this.made}`];
    this.together.push(rows);
    return this.watched(rows[0], async () => {
      let asked = false;
      try {
        await this.client.begin(async (tx) => {
          await tx`INSERT INTO public.kept VALUES (${rows[0]})`;
          await between(tx);
          await tx`INSERT INTO public.kept VALUES (${rows[1]})`;
          await last(tx);
          asked = true;
        });
      } finally {
        if (!asked) for (const row of rows) this.undone.add(row);
      }
      for (const row of rows) this.acknowledged.add(row);
    });
  }

  /** A row that its transaction takes back. */
  rollBack(between: Hook = async () => {}): Promise<void> {
    const row = `undone ${++this.made}`;
    this.undone.add(row);
    return this.watched(row, async () => {
      const thrown = new Error("taken back");
      const ended = this.client.begin(async (tx) => {
        await tx`INSERT INTO public.kept VALUES (${row})`;
        await between(tx);
        throw thrown;
      });
      await ended.catch((error) => {
        if (error !== thrown) throw error;
      });
    });
  }

  /** Rows over a connection of one's own, given back at the end, now and then twice. */
  reserve(between: () => Promise<void> = async () => {}, twice = false): Promise<void> {
    const rows = [`held ${++this.made}`, `held ${++this.made}`];
    return this.watched(`held ${this.made}`, async () => {
      const held = await this.client.reserve();
      try {
        for (const row of rows) {
          await held`INSERT INTO public.kept VALUES (${row})`;
          this.acknowledged.add(row);
          await between();
        }
      } finally {
        held.release();
        if (twice) held.release();
      }
    });
  }

  /** Waits until all that was asked is answered, one way or the other; what still waits after `ms` is a failure. */
  async answered(ms: number): Promise<void> {
    const late = Bun.sleep(ms).then(() => "late");
    if ((await Promise.race([Promise.all(this.waiting.keys()), late])) !== "late") return;
    for (const what of this.waiting.values()) this.failures.push(`${what} was never answered`);
    this.waiting.clear();
  }

  private watched(what: string, work: () => Promise<void>): Promise<void> {
    const done = work().catch((error) => {
      this.lost += 1;
      if (!isLoss(error)) this.failures.push(`${what}: ${codeOf(error)}`);
    });
    this.waiting.set(done, what);
    return done.finally(() => this.waiting.delete(done));
  }
}

export type Hook = (tx: TransactionSql) => Promise<unknown>;

/** What may be said of a connection that was cut; 57P01 says that the server ended it. */
const losses = /^(CONNECTION_CLOSED|CONNECT_TIMEOUT|ECONNRESET|ECONNREFUSED|EPIPE|57P01)$/;

export function isLoss(error: unknown): boolean {
  return losses.test(codeOf(error));
}

export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
