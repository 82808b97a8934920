/**
 * The bare reference of bench:ssr: the very tree that Midman renders for one page, rendered by `renderToString` alone.
 * It is Midman itself with the page's entry replaced: the first request runs the real loaders and hands over what they
 * gave; from then on nothing is asked of a router, a loader or the database.
 */
import { join } from "node:path";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { type EntryContext, type ServerBuild, ServerRouter } from "react-router";
import { root } from "../support/midman.ts";

let captured: { context: EntryContext; url: string } | undefined;

const build = (await import(join(root, "build", "server", "index.js"))) as ServerBuild;
build.entry.module = {
  ...build.entry.module,
  default: (request, _status, _headers, context) => {
    // Without the stream to a browser's router, which no page of ours has: this is the tree alone.
    captured = { context: { ...context, serverHandoffStream: undefined }, url: request.url };
    return new Response("captured");
  },
};
await import(join(root, "app", "server.ts"));

function render(): string {
  if (captured === undefined) throw new Error("No page was asked for yet");
  return renderToString(createElement(ServerRouter, captured));
}

process.on("message", ({ seconds, marker }: { seconds: number; marker: string }) => {
  if (!render().includes(marker)) throw new Error("The bare tree is not the whole page");
  const from = performance.now();
  const until = from + seconds * 1000;
  let replies = 0;
  let bytes = 0;
  for (; performance.now() < until; replies++) bytes = render().length;
  process.send?.({ replies, bytes, seconds: (performance.now() - from) / 1000 });
});
process.on("disconnect", () => process.exit());
