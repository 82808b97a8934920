import { readCookies } from "./toast-cookie.ts";

/** The request header of a form that is posted by a script: the paths at which the page that shows it can be. */
const shownPathsHeader = "midman-in-place";
/** The response header that names another page, which the script then opens. */
const nextPageHeader = "midman-next-page";

/** Draws a page; `partsOnly` leaves out what a script would not take from it. */
type DrawPage = (request: Request, partsOnly: boolean) => Promise<Response>;

/**
 * Answers a form that a script has posted without leaving its page. A redirect to the page shown is followed here, so that the answer
 * takes one round trip; one to another page becomes 204 with the address in `Midman-Next-Page`, because a script cannot read a redirect.
 * 204 without that header asks for an ordinary submission (status 307 passes a form on). Every other response stays as it is. A page that
 * answers has only its parts and toasts: the script takes nothing else from it.
 */
export async function answerInPlace(request: Request, draw: DrawPage): Promise<Response> {
  const shown = request.method === "POST" ? request.headers.get(shownPathsHeader) : null;
  const response = await draw(request, shown !== null);
  const onward = response.headers.get("location");
  if (shown === null || onward === null) return response;
  const next = new URL(onward, request.url);
  if (response.status === 307) return leadOn(response, undefined);
  const isShown = next.origin === new URL(request.url).origin && shown.split(" ").includes(next.pathname);
  if (!isShown) return leadOn(response, onward);
  const page = await draw(pageRequest(request, next, response.headers.getSetCookie()), true);
  const further = page.headers.get("location");
  if (further !== null) return leadOn(withEarlierCookies(page, response), further);
  const answer = withEarlierCookies(page, response);
  answer.headers.set("Content-Location", `${next.pathname}${next.search}${next.hash}`);
  return answer;
}

function leadOn({ headers }: Response, to: string | undefined): Response {
  const answer = new Response(null, { status: 204, headers });
  answer.headers.delete("location");
  if (to !== undefined) answer.headers.set(nextPageHeader, to);
  return answer;
}

/** The request that a browser would make for the page after the redirect, with the cookies that the redirect has set. */
function pageRequest(request: Request, to: URL, setCookies: string[]): Request {
  const headers = new Headers(request.headers);
  for (const name of ["content-type", "content-length", shownPathsHeader]) headers.delete(name);
  const cookies = new Map(readCookies(request));
  for (const cookie of setCookies) {
    const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }
  headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  return new Request(to, { headers, signal: request.signal });
}

/** The page with the redirect's cookies before its own: the page deletes the toast that the redirect left for it. */
function withEarlierCookies(page: Response, redirect: Response): Response {
  const own = page.headers.getSetCookie();
  const answer = new Response(page.body, page);
  answer.headers.delete("set-cookie");
  for (const cookie of [...redirect.headers.getSetCookie(), ...own])
    answer.headers.append("Set-Cookie", cookie);
  return answer;
}
