/** The cookies of a `Cookie` header, as Playwright puts them into a browser for all of the site that `url` is of. */
export function cookiesFor(header: string, url: string) {
  const pairs = header.split("; ").filter(Boolean);
  return pairs.map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: new URL(url).origin };
  });
}
