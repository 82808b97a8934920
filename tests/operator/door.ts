import { forgetApi } from "../support/api/api-document.ts";
import { testCertificates } from "../support/services/certificates.ts";
import { type KitProxy, startProxy } from "../support/services/kit-proxy.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The kit's haproxy in front of the service. */
export type Haproxied = KitProxy;

/** Starts haproxy on the ports `doors`, in front of the service at `port`. */
export async function openDoor(doors: { plain: number; guarded: number }, port: number): Promise<Haproxied> {
  return startProxy("haproxy", [`127.0.0.1:${port}`, `127.0.0.1:${port}`], doors);
}

/** Waits until the service is ready through haproxy. Another release may have started, so its API document is read again. */
export async function untilOpen(site: string): Promise<void> {
  forgetApi(site);
  await waitUntil(() => answers(`${site}/readyz`), 30_000);
}

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (reply) => reply.ok,
    () => false,
  );

/**
 * What TLS is worth here, in words: whoever trusts the authority reaches the page, whoever does not is refused by their own client, and
 * plain HTTP leads to the guarded door. Throws where one of them is otherwise.
 */
export async function proveTls({ url, plainUrl }: Haproxied): Promise<string> {
  const page = await fetch(`${url}/faq`, { tls: { ca: testCertificates.vouched.cert } });
  if (page.status !== 200) throw new Error(`the page answered ${page.status}`);
  const { unvouched } = testCertificates;
  const stranger = await fetch(`${url}/faq`, { tls: { ca: unvouched.cert }, keepalive: false }).then(
    () => undefined,
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
  if (stranger === undefined) throw new Error("a client that trusts another authority was let in");
  const plain = await fetch(`${plainUrl}/faq`, { redirect: "manual" });
  if (plain.status !== 308) throw new Error(`plain HTTP answered ${plain.status}`);
  return `TLS: a client that trusts the authority reads /faq, one that does not refuses (${stranger}), plain HTTP leads to https (308)`;
}
