/**
 * Passkeys, on the pages that ask for one. A form `data-passkey="get"` or `"create"` is shown if the browser supports WebAuthn at this
 * address. On submit it fetches from `data-options` what to sign, has the authenticator sign it, and posts itself with the result in
 * `credential`. Each `data-passkey-says` is one message of failure; `refused` shows the server's own message.
 */
type Ceremony = { form: HTMLFormElement; creates: boolean; mediation?: CredentialMediationRequirement };

/** A browser offers passkeys only on a secure page of the host they were made for, and never on an IP address. */
function supportsPasskeys(origin: string | undefined): boolean {
  if (!isSecureContext || location.origin !== origin || /^\[|^[\d.]+$/.test(location.hostname)) return false;
  return "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** The ceremony that waits behind a field (`autocomplete="webauthn"`): a browser runs one at a time. */
let pendingCeremony: AbortController | undefined;

function offerPasskey(form: HTMLFormElement): void {
  if (!supportsPasskeys(form.dataset.origin)) {
    for (const note of document.querySelectorAll<HTMLElement>("[data-passkey-unsupported]"))
      note.hidden = false;
    return;
  }
  form.hidden = false;
  const creates = form.dataset.passkey === "create";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.ariaBusy !== "true") void runCeremony({ form, creates });
  });
  const name = document.querySelector<HTMLInputElement>('input[autocomplete~="webauthn"]');
  if (!creates) name?.addEventListener("focus", () => void offerPasskeyAutofill(form), { once: true });
}

/** Lets the browser list passkeys among the usernames it knows. Shows no message if the person chooses none. */
async function offerPasskeyAutofill(form: HTMLFormElement): Promise<void> {
  const able = await PublicKeyCredential.isConditionalMediationAvailable?.();
  if (able && pendingCeremony === undefined)
    await runCeremony({ form, creates: false, mediation: "conditional" });
}

async function runCeremony({ form, creates, mediation }: Ceremony): Promise<void> {
  const quiet = mediation !== undefined;
  pendingCeremony?.abort();
  pendingCeremony = new AbortController();
  const { signal } = pendingCeremony;
  showPasskeyStatus(form, null);
  if (!quiet) form.ariaBusy = "true";
  try {
    const options = await fetchCeremonyOptions(form, quiet);
    if (options === undefined) return;
    const credential = creates
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never),
          signal,
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never),
          signal,
          ...(quiet && { mediation }),
        });
    const field = form.elements.namedItem("credential");
    if (!(credential instanceof PublicKeyCredential && field instanceof HTMLInputElement))
      return showPasskeyStatus(form, "stopped");
    field.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch (error) {
    form.ariaBusy = null;
    const name = error instanceof Error ? error.name : "";
    if (!quiet && name !== "AbortError")
      showPasskeyStatus(form, name === "InvalidStateError" ? "known" : "stopped");
  }
}

/** Returns what to sign; undefined if the server gave nothing, after the reason has been shown. */
async function fetchCeremonyOptions(form: HTMLFormElement, quiet: boolean): Promise<unknown> {
  const { options = "", door } = form.dataset;
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    ...(door !== undefined && { body: JSON.stringify({ door }) }),
  };
  const reply = await fetch(options, request).catch(() => undefined);
  if (reply?.ok) return fieldOf(await reply.json(), "options");
  form.ariaBusy = null;
  // The session ended, or is no longer fresh: the reloaded page redirects to where the person signs in again.
  if (reply?.status === 401 || reply?.status === 403) location.reload();
  else if (!quiet)
    showPasskeyStatus(
      form,
      reply ? "refused" : "offline",
      fieldOf(await reply?.json().catch(() => undefined), "message"),
    );
  return undefined;
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
}

function showPasskeyStatus(form: HTMLFormElement, what: string | null, words?: unknown): void {
  for (const one of form.querySelectorAll<HTMLElement>("[data-passkey-says]")) {
    one.hidden = one.dataset.passkeySays !== what;
    if (what === "refused" && !one.hidden) one.textContent = typeof words === "string" ? words : "";
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) offerPasskey(form);
