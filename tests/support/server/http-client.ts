import { apiOf } from "../api/api-document.ts";

/** What JSON a reply carries, by the names tests ask for; what a reply lacks is undefined when run. */
export type Body = {
  id: number;
  status: string;
  message: string;
  code: string;
  inviteCode: string;
  inviteLink: string;
  invoiceId: string;
  qrImageUrl: string;
  chatRoom: { id: number };
  fields: Record<string, string[]>;
  [name: string]: unknown;
};

/** A reply of the API, read to its end. `list` is the body where it is an array, else empty. */
export type Reply = { status: number; headers: Headers; text: string; body: Body; list: Body[] };

/** Somebody with a cookie jar. Paths are the server's; `body` is sent as JSON unless it is a string. */
export type Client = {
  readonly url: string;
  /** The cookies held now, as the `Cookie` header carries them. */
  cookies(): string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  patch(path: string, body?: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
};

/**
 * A client without a browser's habits: it follows no redirect, and sends an `Origin` only when told to. What the API answers
 * it must be what its document says (`api.ts`). Where it is given `patienceMs`, a reply that takes longer is given up.
 */
export function createHttpClient(
  url: string,
  always: Record<string, string> = {},
  patienceMs?: number,
): Client {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const send: Client["send"] = async (method, path, body, headers = {}) => {
    const sent = new Headers({ "Accept-Language": "en", ...always, ...headers });
    if (jar.size > 0) sent.set("Cookie", cookies());
    if (body !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
    const payload =
      body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const signal = patienceMs === undefined ? null : AbortSignal.timeout(patienceMs);
    const asked = { method, headers: sent, redirect: "manual", signal, ...payload } as const;
    const reply = await fetch(`${url}${path}`, asked);
    storeCookies(jar, reply.headers);
    const text = await reply.text();
    const read = parseIfJson(text);
    const api = await apiOf(url);
    api?.check(
      { method, path },
      { status: reply.status, type: reply.headers.get("Content-Type"), body: read },
    );
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: read as Body,
      list: Array.isArray(read) ? read : [],
    };
  };
  return {
    url,
    cookies,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
  };
}

function storeCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    const gone = attributes.some((part) => /^\s*max-age=0\s*$/i.test(part));
    if (gone) jar.delete(name);
    else jar.set(name, pair.slice(at + 1).trim());
  }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
