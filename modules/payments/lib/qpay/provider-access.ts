import { config, isTrial, publicUrl } from "#config";

/** The provider's address and Midman's credentials there. */
export type ProviderAccess = { baseUrl: string; username: string; password: string; invoiceCode: string };

/** The only merchant that the sandbox provider knows. */
export const sandboxMerchant = {
  username: "sandbox",
  password: "sandbox",
  invoiceCode: "SANDBOX_INVOICE",
} as const;

let listeningOrigin: string | undefined;

/** Sets the origin on which this process listens, if it is not `HOST`:`PORT` (port 0 in tests). Undefined resets it. */
export function setSandboxOrigin(origin: string | undefined): void {
  listeningOrigin = origin?.replace(/\/$/, "");
}

/** The loopback origin of this server, under which its own sandbox provider is reached over HTTP. */
export function sandboxOrigin(): string {
  if (listeningOrigin !== undefined) return listeningOrigin;
  const { HOST, PORT } = config();
  const host =
    HOST === "0.0.0.0" ? "127.0.0.1" : HOST === "::" ? "[::1]" : HOST.includes(":") ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}

/** True when the sandbox acts as the provider: it is allowed, and no provider is configured. */
export function isSandboxServing(): boolean {
  return isTrial();
}

/** The configured provider, otherwise the allowed sandbox, otherwise null: then every call fails before it is made. */
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

/** The origin under which the provider calls Midman back: in the sandbox the loopback origin, because PUBLIC_URL may not be reachable. */
export function callbackOrigin(): string {
  return isSandboxServing() ? sandboxOrigin() : publicUrl();
}
