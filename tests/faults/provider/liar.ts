/** A payment as the provider lists it (qpay.md). */
export type Row = Record<string, unknown>;

/** What becomes of the rows of a check, and of how many it says there are. */
export type Lie = (rows: Row[]) => { rows: Row[]; count?: number };

/** A far end that hands everything on to the sandbox provider and lies about the invoices it was told to lie about. */
export type Liar = {
  url: string;
  /** From now on checks of this invoice of the provider's are answered so; without a lie, with the truth. */
  tell(providerInvoiceId: string, lie?: Lie): void;
  /** How many answers were lies. */
  lies(): number;
  stop(): void;
};

/** Stands before the provider at `provider` (an origin). */
export function liar(provider: string): Liar {
  const told = new Map<string, Lie>();
  let lies = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.text();
      const asked = { method: request.method, headers: request.headers, ...(body !== "" && { body }) };
      const reply = await fetch(provider + pathname + search, asked);
      const text = await reply.text();
      const lie = pathname.endsWith("/payment/check") ? told.get(JSON.parse(body).object_id) : undefined;
      const headers = { "Content-Type": reply.headers.get("content-type") ?? "text/plain" };
      if (lie === undefined || !reply.ok) return new Response(text, { status: reply.status, headers });
      lies += 1;
      const { rows, count } = lie((JSON.parse(text).rows ?? []) as Row[]);
      const sum = rows.reduce((total, { payment_amount }) => total + Number(payment_amount), 0);
      return Response.json({ count: count ?? rows.length, paid_amount: sum, rows });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    tell: (id, lie) => void (lie === undefined ? told.delete(id) : told.set(id, lie)),
    lies: () => lies,
    stop: () => void server.stop(true),
  };
}
