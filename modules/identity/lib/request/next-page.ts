/** The `Link` header (RFC 8288) to a list's next page: the same call, continued after the entry `before`. */
export function nextPage(request: Request, before: number): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("before", String(before));
  return `<${pathname}?${searchParams}>; rel="next"`;
}
