import { expect, test } from "bun:test";
import type { ServerBuild } from "react-router";
import { createPageMatcher } from "./route-patterns.ts";

const route = (id: string, path?: string, parentId = "root") => ({ [id]: { id, path, parentId } });
const pattern = createPageMatcher({
  root: { id: "root", path: "" },
  ...route("landing", "/"),
  ...route("room", "chat/:id"),
  ...route("panel", "chat/:id/panel"),
  ...route("new", "chat/new"),
  ...route("all", "*"),
} as unknown as ServerBuild["routes"]);

test("a path is named by its page's route, never by its contents", () => {
  expect(pattern("/")).toBe("/");
  expect(pattern("/chat/17")).toBe("/chat/:id");
  expect(pattern("/chat/secret-token-of-somebody/panel/")).toBe("/chat/:id/panel");
  expect(pattern("/chat/new")).toBe("/chat/new");
});

test("a path without a page has no name", () => {
  for (const path of ["/chat", "/nothing", "/chat/1/panel/2", "/*"]) expect(pattern(path)).toBeUndefined();
});
