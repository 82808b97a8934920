import { submitNatively } from "../browser/submit-natively.ts";
import { createTimeoutSignal } from "../browser/timeout-signal.ts";
import { showAnswerToasts, showFailure } from "./answer-toasts.ts";
import { isDialogAddress, isDialogEntry } from "./dialogs.ts";
import { nameOf, textFieldsOf } from "./filled-fields.ts";
import { keepReview } from "./kept-review.ts";
import { notePost, parsePage, showAnswer } from "./parts.ts";
import { readerHeaders } from "./reader-headers.ts";
import { announceStatus, focusResult, pressedButton } from "./result-focus.ts";

/** Long enough for a slow link and a busy provider; the step can then be repeated harmlessly. */
const answerTimeoutMs = 20_000;

/**
 * Posts the forms inside `[data-part]` without leaving the page, and shows the answer where the form was. The page's address stays the only
 * entry of the history. Forms with a file, or for another window, are submitted as usual.
 */
export function startPosting(): void {
  document.addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !isPostedInPlace(form, submitter))
        return;
      event.preventDefault();
      void post(form, submitter);
    },
    // Before the scripts that would mark the form as leaving the page.
    true,
  );
}

function isPostedInPlace(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  if (form.closest("[data-part]") === null || form.getAttribute("method") !== "post") return false;
  return (
    !form.hasAttribute("enctype") && !form.hasAttribute("target") && !submitter?.hasAttribute("formtarget")
  );
}

async function post(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  body = fieldsOf(form, submitter),
): Promise<void> {
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const pressed = pressedButton(form, submitter);
  notePost();
  const answer = await send(form, body);
  notePost();
  const next = answer?.response.headers.get("Midman-Next-Page");
  // The form stays busy until the next page is there.
  if (next) return location.replace(next);
  form.removeAttribute("aria-busy");
  // The server answers this form with a redirect that must keep the method (307): only a page can follow it.
  if (answer?.response.status === 204) return submitNatively(form, submitter);
  const page = parsePage(answer?.html ?? "");
  if (page.querySelector("[data-part], [data-toast]") === null) {
    const { status } = answer?.response ?? { status: 503 };
    // A page that no longer exists, or is no longer this person's, says so itself.
    if (status < 500 && status !== 429) return location.reload();
    return showFailure(nameOf(form), () => void repeat(form, submitter, body));
  }
  const name = nameOf(form);
  const hasToast = page.querySelector("[data-toast]") !== null;
  const accepted = showAnswerToasts(page, name);
  const changed = showAnswer(page, form, accepted);
  keepReview(name, hasToast && accepted);
  keepAddress(answer?.response.headers.get("Content-Location") ?? null);
  focusResult(changed, pressed);
  announceStatus(changed);
}

/**
 * Sends a form again. If its part was refreshed since, the fields of the first time are sent: those that stand there now may agree to
 * something else, such as a later request to cancel, after the vault was opened.
 */
function repeat(form: HTMLFormElement, submitter: HTMLElement | null, body: URLSearchParams): Promise<void> {
  return form.isConnected ? post(form, submitter) : post(shownForm(form), submitter, body);
}

/** The form where it stands now. */
function shownForm(form: HTMLFormElement): HTMLFormElement {
  if (form.isConnected) return form;
  return [...document.querySelectorAll("form")].find((one) => nameOf(one) === nameOf(form)) ?? form;
}

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const body = new URLSearchParams(textFieldsOf(form));
  const name = submitter?.getAttribute("name");
  if (name) body.append(name, submitter?.getAttribute("value") ?? "");
  return body;
}

async function send(form: HTMLFormElement, body: URLSearchParams) {
  // A room is at the same time the page of its trade.
  const { room = "", trade = "" } = document.querySelector<HTMLElement>("[data-room]")?.dataset ?? {};
  const headers = {
    "Midman-In-Place": `${location.pathname} ${room} ${trade}`.trim(),
    Accept: "text/html",
    ...readerHeaders(),
  };
  const to = form.getAttribute("action") ?? location.href;
  try {
    const response = await fetch(to, {
      method: "POST",
      body,
      headers,
      signal: createTimeoutSignal(answerTimeoutMs),
    });
    return { response, html: await response.text() };
  } catch {
    return undefined;
  }
}

/** Replaces the page's address with the answer's if both have the same path. */
function keepAddress(contentLocation: string | null): void {
  const address = new URL(contentLocation ?? location.href, location.href);
  if (address.pathname !== location.pathname || address.href === location.href) return;
  // The dialog is closed, and its entry goes with it.
  if (isDialogEntry() && !isDialogAddress(address.href)) history.back();
  else history.replaceState(history.state, "", address);
}
