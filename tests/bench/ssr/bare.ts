/**
 * The bare reference of bench:ssr: the very tree that Midman renders for one page, rendered by `renderToString` alone.
 * It is Midman itself: the first page it is asked for runs the real loaders, and what is then handed to React is kept;
 * from then on nothing is asked of a router's handler, a loader or the database.
 */
import { createRequire } from "node:module";
import { isValidElement, type ReactNode } from "react";

type Rendering = (tree: ReactNode, ...rest: unknown[]) => unknown;

let tree: ReactNode;

const server = createRequire(import.meta.url)("react-dom/server") as Record<string, Rendering>;
const renderToString = server.renderToString as (page: ReactNode) => string;
for (const name of ["renderToString", "renderToReadableStream", "renderToPipeableStream"]) {
  const render = server[name];
  if (render === undefined) continue;
  server[name] = ((page, ...rest) => {
    tree ??= page; // the outermost: an island is rendered within
    return render(page, ...rest);
  }) satisfies Rendering;
}
await import("../../../app/server.ts");

process.on("message", ({ seconds, marker }: { seconds: number; marker: string }) => {
  withoutStream(tree);
  if (!renderToString(tree).includes(marker)) throw new Error("The bare tree is not the whole page");
  const from = performance.now();
  const until = from + seconds * 1000;
  let replies = 0;
  let bytes = 0;
  for (; performance.now() < until; replies++) bytes = renderToString(tree).length;
  process.send?.({ replies, bytes, seconds: (performance.now() - from) / 1000 });
});
process.on("disconnect", () => process.exit());

/** The data's stream to a browser's router can be read once only, and no page of ours has such a router. */
function withoutStream(node: ReactNode): void {
  if (!isValidElement<{ context?: { serverHandoffStream?: unknown }; children?: ReactNode }>(node)) return;
  if (node.props.context !== undefined) node.props.context.serverHandoffStream = undefined;
  withoutStream(node.props.children);
}
