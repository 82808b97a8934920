/** A payment as the provider lists it. */
export type Row = Record<string, unknown>;

/** What becomes of the rows of a check, of how many it says there are, and of what it says that they come to. */
export type Lie = (rows: Row[]) => { rows: Row[]; count?: number; paid?: number };

/** What is answered in the place of one call; the provider's own answer is given where it does not want to lie. */
export type Override = (truth: { status: number; body: Row }) => { status: number; body: Row };

/** A far end that hands everything on to the sandbox provider and lies about the invoices it was told to lie about. */
export type Liar = {
  url: string;
  /** From now on checks of this invoice of the provider's are answered so; without a lie, with the truth. */
  tell(providerInvoiceId: string, lie?: Lie): void;
  /** The next creation of an invoice is made, and answered so. */
  tellCreation(override: Override): void;
  /** From now on cancelling this invoice is answered so; without one, with the truth. */
  tellCancelling(providerInvoiceId: string, override?: Override): void;
  /** How many answers were lies. */
  lies(): number;
  stop(): void;
};

/** Stands before the provider at `provider` (an origin). */
export function liar(provider: string): Liar {
  const told = new Map<string, Lie>();
  const cancelling = new Map<string, Override>();
  const creations: Override[] = [];
  /** What the first page of a lie said of the whole. */
  const whole = new Map<string, { count: number; paid_amount: number }>();
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
      const override = overrideOf(request.method, pathname);
      const headers = { "Content-Type": reply.headers.get("content-type") ?? "text/plain" };
      if (override !== undefined) {
        lies += 1;
        const answer = override({ status: reply.status, body: JSON.parse(text) });
        return Response.json(answer.body, { status: answer.status });
      }
      if (lie === undefined || !reply.ok) return new Response(text, { status: reply.status, headers });
      lies += 1;
      const asks = JSON.parse(body);
      // What is beyond the first page is told as that page told it: no rows more.
      const first = asks.offset?.page_number > 1 ? whole.get(asks.object_id) : undefined;
      if (first !== undefined) return Response.json({ ...first, rows: [] });
      const { rows, count, paid } = lie((JSON.parse(text).rows ?? []) as Row[]);
      const said = { count: count ?? rows.length, paid_amount: paid ?? sumOf(rows) };
      whole.set(asks.object_id, said);
      return Response.json({ ...said, rows });
    },
  });
  function overrideOf(method: string, pathname: string): Override | undefined {
    if (method === "POST" && pathname.endsWith("/v2/invoice")) return creations.shift();
    return method === "DELETE" ? cancelling.get(pathname.split("/").at(-1) ?? "") : undefined;
  }
  return {
    url: `http://127.0.0.1:${server.port}`,
    tell: (id, lie) => void (lie === undefined ? told.delete(id) : told.set(id, lie)),
    tellCreation: (override) => void creations.push(override),
    tellCancelling: (id, override) =>
      void (override === undefined ? cancelling.delete(id) : cancelling.set(id, override)),
    lies: () => lies,
    stop: () => void server.stop(true),
  };
}

/** What a provider that agrees with itself would say: what is paid, each payment once. */
function sumOf(rows: Row[]): number {
  const paid = new Map(
    rows
      .filter(({ payment_status }) => payment_status === "PAID")
      .map(({ payment_id, payment_amount }) => [
        String(payment_id).replace(/^0+/, ""),
        Number(payment_amount),
      ]),
  );
  return [...paid.values()].reduce((total, amount) => total + amount, 0);
}
