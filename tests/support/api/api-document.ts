import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { Operation } from "../../../app/server/openapi/operation.ts";

/**
 * The API's document as tests hold every reply to it: its status is declared, its body is what that status carries, and a
 * refusal's code is one the call may refuse with. Which of them were seen is noted where `CALLS_SEEN` names a folder.
 */
export type Api = {
  document: OpenApiDocument;
  /** Fails for a reply that is not as declared. */
  check(asked: ApiRequest, reply: ApiReply): void;
  /** What is wrong with a value by the schema at a place of the document; undefined when it fits. */
  fits(pointer: string, value: unknown): string | undefined;
};
export type ApiRequest = { method: string; path: string };
export type ApiReply = { status: number; type: string | null; body: unknown };

let faultsExpected = false;

/**
 * For tests that bring about faults of ours: a 500 in the house's shape is what they look for. Everywhere else it fails whoever gets
 * it. Answers what ends it.
 */
export function expectFaults(): () => void {
  faultsExpected = true;
  return () => {
    faultsExpected = false;
  };
}

const knownApis = new Map<string, Promise<Api | undefined>>();

/** The document that a server gives of itself, read once a process; undefined where it gives none (it is closed, or away). */
export async function apiOf(url: string): Promise<Api | undefined> {
  const asked = knownApis.get(url) ?? fetchApi(url);
  knownApis.set(url, asked);
  const api = await asked;
  if (api === undefined) knownApis.delete(url);
  return api;
}

/** Forgets the document of a server, for when another version takes its place at the same address. */
export function forgetApi(url: string): void {
  knownApis.delete(url);
}

async function fetchApi(url: string): Promise<Api | undefined> {
  const reply = await fetch(`${url}/api/openapi.json`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => undefined,
  );
  if (reply?.ok !== true) return undefined;
  return apiBy((await reply.json()) as OpenApiDocument);
}

/** The same of a document at hand. */
export function apiBy(document: OpenApiDocument): Api {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: schemaFormats });
  ajv.addSchema(document, "api");
  const compiled = new Map<string, ValidateFunction>();
  const fits = (pointer: string, body: unknown): string | undefined => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
    compiled.set(pointer, validate);
    return validate(body) ? undefined : ajv.errorsText(validate.errors);
  };
  const find = createOperationFinder(document);
  keepDocument(document);
  return {
    document,
    fits,
    check(asked, reply) {
      const found = find(asked);
      if (found === undefined) return;
      const wrong = findProblem(found, reply, fits);
      if (wrong !== undefined) {
        throw new Error(`${asked.method} ${asked.path} answers what its document does not say: ${wrong}`);
      }
      noteAnswer(found.operation.operationId, reply);
    },
  };
}

const schemaFormats = {
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  binary: true,
  email: true,
  uri: true,
} as const;

type FoundOperation = { operation: Operation; pointer: string };
type Fits = (pointer: string, body: unknown) => string | undefined;

/** Which operation a request is for: literal segments go before named ones, as they do in the router. */
function createOperationFinder({ paths }: OpenApiDocument) {
  const patterns = Object.keys(paths)
    .sort((a, b) => countParameters(a) - countParameters(b))
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  return ({ method, path }: ApiRequest): FoundOperation | undefined => {
    const { pathname } = new URL(path, "http://x");
    const verb = method.toLowerCase();
    const hit = patterns.find((one) => one.pattern.test(pathname) && paths[one.path]?.[verb] !== undefined);
    const operation = hit && paths[hit.path]?.[verb];
    if (hit === undefined || operation === undefined) return undefined;
    const escaped = encodeURIComponent(hit.path.replaceAll("~", "~0").replaceAll("/", "~1"));
    return { operation, pointer: `/paths/${escaped}/${verb}` };
  };
}

const countParameters = (path: string) => path.split("{").length;

/** What is wrong with a reply; undefined when it is as declared. */
function findProblem(
  { operation, pointer }: FoundOperation,
  { status, type, body }: ApiReply,
  fits: Fits,
): string | undefined {
  if (status === 304) return undefined;
  if (faultsExpected && status === 500 && (body as { code?: unknown }).code === "SERVER_ERROR")
    return undefined;
  const declared = operation.responses[String(status)];
  const [media] = (type ?? "").split(";");
  if (declared !== undefined && "content" in declared && declared.content !== undefined) {
    const [expected = ""] = Object.keys(declared.content);
    if (expected !== media) return `${status} is ${media}, not ${expected}`;
    if (media !== "application/json") return undefined;
    const wrong = fits(`${pointer}/responses/${status}/content/application~1json/schema`, body);
    if (wrong === undefined || status < 400)
      return wrong && `${status}: ${wrong} in ${JSON.stringify(body)?.slice(0, 600)}`;
  }
  if (status < 400) return declared === undefined ? `${status} is not declared` : undefined;
  const wrong = fits("/components/responses/Everywhere/content/application~1json/schema", body);
  return wrong && `${status} ${JSON.stringify(body)?.slice(0, 600)}: neither its own nor any call's`;
}

const seenFolder = process.env.CALLS_SEEN;
const notedAnswers = new Set<string>();

/** One line for each operation, status and code that this process saw first. */
function noteAnswer(operation: string, { status, body }: ApiReply): void {
  const code = status < 400 ? "" : ((body as { code?: string } | null)?.code ?? "");
  const line = `${operation} ${status} ${code}`.trim();
  if (seenFolder === undefined || notedAnswers.has(line)) return;
  notedAnswers.add(line);
  appendFileSync(join(seenFolder, `${process.pid}.txt`), `${line}\n`);
}

function keepDocument(document: OpenApiDocument): void {
  if (seenFolder === undefined) return;
  mkdirSync(seenFolder, { recursive: true });
  const file = join(seenFolder, "openapi.json");
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(document));
}
