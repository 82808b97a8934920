/** Health checks; the only requests accepted without a Host header. */
const healthPattern = /^\/(healthz|readyz)$/;

/**
 * An HTTP/1.0 request need not name a host; its URL is then only a path, where the code expects a full address. Proxies check their servers
 * in this way (haproxy does by default), so the health calls accept it; any other such request is refused.
 */
export function withHostName<Next extends (request: Request) => unknown>(next: Next, request: Request): Next {
  if (!request.url.startsWith("/")) return next;
  const { pathname } = new URL(request.url, "http://localhost");
  if (!healthPattern.test(pathname))
    return (() => new Response("Bad Request", { status: 400 })) as unknown as Next;
  const whole = new Request(`http://localhost${pathname}`, { method: request.method });
  return (() => next(whole)) as unknown as Next;
}
