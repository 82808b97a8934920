import type { ServerBuild } from "react-router";

/** A node of the route tree: the next segments by name, and the next one for any value (a parameter). */
type PatternStep = { named: Map<string, PatternStep>; any?: PatternStep; end?: string };

/**
 * Returns a matcher that finds the route pattern of a path (`/chat/:id`), for metrics and logs, which must not contain ids or tokens of an
 * address. Undefined if there is no such page.
 */
export function createPageMatcher(routes: ServerBuild["routes"]): (pathname: string) => string | undefined {
  const root: PatternStep = { named: new Map() };
  const segmentsOf = (id: string | undefined): string[] => {
    const route = id === undefined ? undefined : routes[id];
    if (route === undefined) return [];
    return [...segmentsOf(route.parentId), ...(route.path ?? "").split("/").filter((part) => part !== "")];
  };
  for (const id of Object.keys(routes)) {
    const segments = segmentsOf(id);
    if (segments.at(-1) === "*") continue;
    let at = root;
    for (const segment of segments) at = stepInto(at, segment);
    at.end = `/${segments.join("/")}`;
  }
  return (pathname) =>
    findStep(
      root,
      pathname.split("/").filter((part) => part !== ""),
    )?.end;
}

/** The name under which a request is counted: its API route, "file", its page's pattern, or "none". */
export function createRouteNamer(routes: ServerBuild["routes"], isFile: (request: Request) => boolean) {
  const pattern = createPageMatcher(routes);
  return (request: Request, route: string | undefined): string => {
    if (route !== undefined && !route.endsWith("/*")) return route;
    return isFile(request) ? "file" : (pattern(new URL(request.url).pathname) ?? "none");
  };
}

function stepInto(at: PatternStep, segment: string): PatternStep {
  if (segment.startsWith(":")) {
    at.any ??= { named: new Map() };
    return at.any;
  }
  const step = at.named.get(segment) ?? { named: new Map() };
  at.named.set(segment, step);
  return step;
}

/** A literal segment takes precedence over a parameter. */
function findStep(at: PatternStep, [segment, ...rest]: string[]): PatternStep | undefined {
  if (segment === undefined) return at.end === undefined ? undefined : at;
  const named = at.named.get(segment);
  const found = named && findStep(named, rest);
  return found ?? (at.any && findStep(at.any, rest));
}
