import type { ServerBuild } from "react-router";

/** A segment of a path: what follows it by name, and what follows whatever stands here. */
type PatternStep = { named: Map<string, PatternStep>; any?: PatternStep; end?: string };

/**
 * Names the page that a path leads to by its route (`/chat/:id`), whatever stands in the path: for counts and logs, where neither a
 * number nor a token of an address has a place. Undefined where there is no such page.
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

/** By which name a request is counted, given the route that answers it: what is neither a call, a file nor a page has none. */
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

/** A segment that is named goes before one that may be anything. */
function findStep(at: PatternStep, [segment, ...rest]: string[]): PatternStep | undefined {
  if (segment === undefined) return at.end === undefined ? undefined : at;
  const named = at.named.get(segment);
  const found = named && findStep(named, rest);
  return found ?? (at.any && findStep(at.any, rest));
}
