import { Elysia } from "elysia";
import { z } from "zod";
import { call } from "#calls";
import { type Document, documentOf } from "./document.ts";
import type { Route } from "./operation.ts";

let registered: () => readonly Route[] = () => [];
let made: Document | undefined;

/** The document of the running server's own routes, made at the first look. */
export function apiDocument(): Document {
  made ??= documentOf(registered());
  return made;
}

const itself = call({
  summary: "This document",
  group: "Health",
  by: "anybody",
  answers: z.looseObject({ openapi: z.string() }),
});

/** `/api/openapi.json`, of the routes that `all` answers once every one is registered. */
export function apiHttp(all: () => readonly Route[]) {
  registered = all;
  made = undefined;
  return new Elysia({ name: "api.document" }).get(
    "/api/openapi.json",
    ({ set }) => {
      set.headers["cache-control"] = "public, max-age=300";
      return apiDocument();
    },
    { detail: itself },
  );
}
