/** What asks how Midman is, and what only it may ask without naming the host. */
const healthPattern = /^\/(healthz|readyz)$/;

/**
 * A request of HTTP/1.0 need not name a host; what it asks is then a path alone, where everything here reads an address. Proxies look at
 * their servers in this way (haproxy does unless told otherwise), so the health calls answer it; whatever else is refused.
 */
export function withHostName<Next extends (request: Request) => unknown>(next: Next, request: Request): Next {
  if (!request.url.startsWith("/")) return next;
  const { pathname } = new URL(request.url, "http://localhost");
  if (!healthPattern.test(pathname))
    return (() => new Response("Bad Request", { status: 400 })) as unknown as Next;
  const whole = new Request(`http://localhost${pathname}`, { method: request.method });
  return (() => next(whole)) as unknown as Next;
}
