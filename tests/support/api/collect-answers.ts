import { noisePicture } from "../hostile/hostile-pictures.ts";
import { expectStatus, signInAdministrator } from "../people/registered-people.ts";
import type { Client } from "../server/http-client.ts";
import type { SharedServer } from "../server/shared-server.ts";
import { openDisputedTrade, requestPayment, type ServerTrade } from "../trades/server-trades.ts";

/** One answer of a server, as it came: what it is, its status and headers, and its body as text. */
export type Answer = { what: string; path: string; status: number; headers: Headers; text: string };

type AnswerRequest = { what: string; path: string; by?: Client; init?: RequestInit };

const formHeaders = { "Content-Type": "application/x-www-form-urlencoded" };

/**
 * One answer of every kind a server gives: pages, calls, files, pictures, downloads, frames, redirects, and what is refused at each
 * door. `asked` answers in place of the server that everything is made at: another instance on the same database, where people
 * come by https.
 */
export async function collectAnswers(server: SharedServer, asked?: SharedServer): Promise<Answer[]> {
  const admin = await signInAdministrator(server);
  const [disputed, unpaid] = await Promise.all([openDisputedTrade(server), requestPayment(server)]);
  const all = [
    ...publicRequests(),
    ...(await fileRequests(server)),
    ...refusedRequests(unpaid),
    ...(await memberRequests(disputed, unpaid)),
    ...backOfficeRequests(admin, disputed),
  ];
  return Promise.all(all.map((one) => askServer(asked ?? server, one, asked !== undefined)));
}

async function askServer(server: SharedServer, { what, path, by, init = {} }: AnswerRequest, https: boolean) {
  const headers = new Headers({ Accept: "text/html", ...(init.headers as Record<string, string>) });
  const cookies = by?.cookies() ?? "";
  headers.set("Cookie", https ? cookies.replaceAll(/(^|; )(?=midman-)/g, "$1__Host-") : cookies);
  if (https) headers.set("X-Forwarded-Proto", "https");
  const reply = await fetch(`${server.url}${path}`, { redirect: "manual", ...init, headers });
  return { what, path, status: reply.status, headers: reply.headers, text: await reply.text() };
}

function publicRequests(): AnswerRequest[] {
  return [
    { what: "the landing page", path: "/" },
    { what: "a document", path: "/terms-of-service" },
    { what: "a page that is not there", path: "/no/such/page" },
    { what: "the page without a connection", path: "/offline" },
    { what: "a redirect of a guard", path: "/chat" },
    { what: "the page in front of other sites", path: "/away?to=https%3A%2F%2Fexample.com" },
    { what: "a code that is looked up", path: "/verify/MM-7KQ2WX9A" },
    { what: "what programs can call", path: "/developers" },
    { what: "one call of a program", path: "/developers/get-api-transactions" },
    { what: "the document of all calls", path: "/api/openapi.json" },
    { what: "the health", path: "/healthz" },
    { what: "the readiness", path: "/readyz" },
    { what: "the version", path: "/version" },
    { what: "the key of evidence", path: "/api/evidence-key" },
    { what: "the key of pushes", path: "/api/push/key" },
    { what: "the sandbox's mailbox", path: "/sandbox/mail" },
  ];
}

/** The files of the build, found as a browser finds them. */
async function fileRequests(server: SharedServer): Promise<AnswerRequest[]> {
  const page = await (await fetch(`${server.url}/offline`)).text();
  const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  const styles = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1];
  if (script === undefined || styles === undefined) throw new Error("a page without a script or a style");
  return [
    { what: "a script", path: script },
    { what: "a stylesheet", path: styles },
    { what: "a drawing", path: "/icon.svg" },
    { what: "an icon", path: "/icon-192.png" },
    { what: "the icon asked for unasked", path: "/favicon.ico" },
    { what: "the worker", path: "/sw.js" },
    { what: "the manifest", path: "/manifest.webmanifest?lang=mn" },
    { what: "what robots are told", path: "/robots.txt" },
    { what: "the sitemap", path: "/sitemap.xml" },
  ];
}

function refusedRequests(unpaid: ServerTrade): AnswerRequest[] {
  const post = (body: string, headers: Record<string, string>) => ({ method: "POST", body, headers });
  const json = { "Content-Type": "application/json", Accept: "*/*" };
  return [
    { what: "a call without a session", path: "/api/auth/user" },
    { what: "a call that is not there", path: "/api/nothing" },
    { what: "a call of administrators", path: "/api/admin/stats", by: unpaid.buyer },
    { what: "a call with wrong fields", path: "/api/auth/register", init: post('{"username":1}', json) },
    { what: "a call that is no JSON", path: "/api/auth/login", init: post("{", json) },
    { what: "a body too large", path: "/api/auth/login", init: post("x".repeat(1_100_000), json) },
    { what: "a form too large", path: "/", init: post("x".repeat(1_100_000), formHeaders) },
    {
      what: "a form of another site",
      path: "/",
      init: post("a=b", { ...formHeaders, Origin: "https://evil.example" }),
    },
    {
      what: "a call of another site",
      path: "/api/auth/logout",
      init: post("", { Origin: "https://evil.example" }),
    },
    { what: "a form that is wrong", path: "/", init: post("form=login&username=x", formHeaders) },
    { what: "a method a page does not take", path: "/faq", init: { method: "DELETE" } },
    {
      what: "a socket of another site",
      path: `/ws?roomId=${unpaid.roomId}&userId=${unpaid.buyer.id}`,
      init: {
        headers: {
          ...{ Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" },
          ...{ "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", Origin: "https://evil.example" },
        },
      },
    },
    { what: "somebody else's room", path: `/chat/${unpaid.roomId + 1_000_000}`, by: unpaid.buyer },
  ];
}

async function memberRequests(
  { buyer, roomId, id }: ServerTrade,
  unpaid: ServerTrade,
): Promise<AnswerRequest[]> {
  const picture = (await noisePicture(80, 60).jpeg().toBuffer()).toString("base64");
  const sent = expectStatus(
    await buyer.post(`/api/chat/rooms/${roomId}/images`, { imageData: `data:image/jpeg;base64,${picture}` }),
    201,
  );
  const { full, small } = sent.body.image as { full: string; small: string };
  return [
    { what: "the rooms", path: "/chat", by: buyer },
    { what: "a room", path: `/chat/${roomId}`, by: buyer },
    { what: "a room's panel", path: `/chat/${roomId}/panel`, by: buyer },
    { what: "a transaction", path: `/transactions/${id}`, by: buyer },
    { what: "the settings", path: "/settings", by: buyer },
    {
      what: "one's own data as a file",
      path: "/settings/data",
      by: buyer,
      init: { method: "POST", body: "", headers: formHeaders },
    },
    { what: "a call", path: `/api/transactions/${id}`, by: buyer },
    { what: "a call of a list", path: `/api/chat/rooms/${roomId}/messages`, by: buyer },
    { what: "a picture", path: full, by: buyer },
    { what: "a small picture", path: small, by: buyer },
    { what: "a QR", path: `/qr/${unpaid.invoiceId}.png`, by: unpaid.buyer },
    {
      what: "leaving",
      path: "/logout",
      by: unpaid.seller,
      init: { method: "POST", body: "", headers: formHeaders },
    },
  ];
}

function backOfficeRequests(admin: Client, { id }: ServerTrade): AnswerRequest[] {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return [
    { what: "the desk", path: "/admin", by: admin },
    { what: "a dispute", path: `/admin/disputes/${id}`, by: admin },
    {
      what: "the evidence as an archive",
      path: `/admin/disputes/${id}/evidence`,
      by: admin,
      init: { method: "POST", body: "", headers: formHeaders },
    },
    { what: "the log as CSV", path: "/admin/activity-logs.csv", by: admin },
    { what: "transfers as CSV", path: `/admin/money/transfers.csv?day=${day}`, by: admin },
    { what: "the preview of a mail", path: "/admin/email/welcome/preview", by: admin },
    { what: "the preview of a mail's letters", path: "/admin/email/welcome/preview?show=text", by: admin },
    { what: "a template as a file", path: "/admin/email/welcome/export", by: admin },
    { what: "a call of the desk", path: "/api/admin/stats", by: admin },
  ];
}
