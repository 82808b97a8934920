import { config, isTrial, publicUrl } from "#config";

/** Where the provider is and who we are there. */
export type ProviderAccess = { baseUrl: string; username: string; password: string; invoiceCode: string };

/** The one merchant the sandbox provider knows. */
export const sandboxMerchant = {
  username: "sandbox",
  password: "sandbox",
  invoiceCode: "SANDBOX_INVOICE",
} as const;

let listeningOrigin: string | undefined;

/** Tells where this process really listens, when that is not `HOST`:`PORT` (port 0 in tests). Undefined forgets it. */
export function setSandboxOrigin(origin: string | undefined): void {
  listeningOrigin = origin?.replace(/\/$/, "");
}

/** The loopback origin of this server, at which its own sandbox provider is reached over HTTP. */
export function sandboxOrigin(): string {
  if (listeningOrigin !== undefined) return listeningOrigin;
  const { HOST, PORT } = config();
  const host =
    HOST === "0.0.0.0" ? "127.0.0.1" : HOST === "::" ? "[::1]" : HOST.includes(":") ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}

/** True when the sandbox plays the provider: it is allowed and no provider is configured. */
export function isSandboxServing(): boolean {
  return isTrial();
}

/** The configured provider, else the allowed sandbox, else null: then every call is refused before it is made. */
export function providerAccess(): ProviderAccess | null {
  const { QPAY_BASE_URL, QPAY_USERNAME, QPAY_PASSWORD, QPAY_INVOICE_CODE } = config();
  if (QPAY_BASE_URL && QPAY_USERNAME && QPAY_PASSWORD && QPAY_INVOICE_CODE) {
    return {
      baseUrl: QPAY_BASE_URL.replace(/\/$/, ""),
      username: QPAY_USERNAME,
      password: QPAY_PASSWORD,
      invoiceCode: QPAY_INVOICE_CODE,
    };
  }
  return isSandboxServing() ? { baseUrl: `${sandboxOrigin()}/sandbox/qpay/v2`, ...sandboxMerchant } : null;
}

/** Where the provider reaches our callback: in the sandbox our own loopback, since PUBLIC_URL need not be reachable. */
export function callbackOrigin(): string {
  return isSandboxServing() ? sandboxOrigin() : publicUrl();
}
