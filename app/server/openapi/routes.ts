import { Elysia } from "elysia";
import { z } from "zod";
import { describeCall, type Unrefused } from "#calls";
import { buildOpenApiDocument, type OpenApiDocument } from "./document.ts";
import type { DescribedRoute } from "./operation.ts";

let registeredRoutes: () => readonly DescribedRoute[] = () => [];
let cachedDocument: OpenApiDocument | undefined;

/** The document of the running server's routes, built on first use. */
export function apiDocument(): OpenApiDocument {
  cachedDocument ??= buildOpenApiDocument(registeredRoutes());
  return cachedDocument;
}

const documentOperation = describeCall<Unrefused>({
  summary: "Get this OpenAPI document",
  group: "Health",
  by: "anybody",
  answers: z.looseObject({ openapi: z.string() }),
});

/** `/api/openapi.json`; `all` returns the routes once every one is registered. */
export function createApiDocumentRoutes(all: () => readonly DescribedRoute[]) {
  registeredRoutes = all;
  cachedDocument = undefined;
  return new Elysia({ name: "api.document" }).get(
    "/api/openapi.json",
    ({ set }) => {
      set.headers["cache-control"] = "public, max-age=300";
      return apiDocument();
    },
    { detail: documentOperation },
  );
}
