/** The header `Link` (RFC 8288) by which a list names its next page: the same call, going on after the entry `before`. */
export function nextPage(request: Request, before: number): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.set("before", String(before));
  return `<${pathname}?${searchParams}>; rel="next"`;
}
