import type { createTransport, Transporter } from "nodemailer";
import { config } from "#config";
import type { RenderedMail } from "../templates/render-mail.ts";
import type { Address } from "./senders.ts";

let openConnection: { url: string; transport: Transporter } | undefined;

/**
 * Hands a mail to the SMTP server; resolves once the server has accepted it. Connections are pooled, and limited by the time-outs below.
 * `smtps:` uses TLS from the first byte; `smtp:` requires STARTTLS, except on loopback, where it is used if offered. Mails contain links
 * that sign in, and an attacker in between could otherwise remove the STARTTLS offer. `?requireTLS=false` turns that requirement off.
 */
export async function handToServer(
  url: string,
  mail: RenderedMail & { from: Address; to: string; messageId: string; replyTo: string | null },
): Promise<void> {
  const { createTransport } = await import("nodemailer");
  await transportTo(url, createTransport).sendMail({
    from: mail.from,
    to: { name: "", address: mail.to },
    replyTo: { name: "", address: mail.replyTo ?? config().SUPPORT_EMAIL },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Why the mail server would not accept mail now: its error code, or a sentence if its certificate is not trusted; undefined if it would, or
 * if none is configured.
 */
export async function checkMailServer(): Promise<string | undefined> {
  const url = config().SMTP_URL;
  if (url === undefined) return undefined;
  try {
    const { createTransport } = await import("nodemailer");
    await transportTo(url, createTransport).verify();
    return undefined;
  } catch (error) {
    const { code, responseCode, message } = error as {
      code?: string;
      responseCode?: number;
      message: string;
    };
    if (/certificate|self.signed|altname/i.test(message)) return `its certificate is not trusted: ${message}`;
    return [code, responseCode].filter((one) => one !== undefined).join(" ") || "unknown";
  }
}

/** Closes the pooled connections. */
export function closeServer(): void {
  openConnection?.transport.close();
  openConnection = undefined;
}

function transportTo(url: string, create: typeof createTransport): Transporter {
  if (openConnection?.url === url) return openConnection.transport;
  closeServer();
  const transport = create({
    url,
    requireTLS: !isLoopback(url),
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  });
  openConnection = { url, transport };
  return transport;
}

function isLoopback(url: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
