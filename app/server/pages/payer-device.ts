import { cookieName } from "#modules/identity";
import { readCookie } from "./toast-cookie.ts";

/** An app whose own browser opens links: it often cannot open a bank's app. Named by the phone's system, which decides the way out. */
export type InAppBrowser = "android" | "ios";

/** What a page that asks for money knows of the payer's phone. */
export interface PayerDevice {
  /** Set in the browsers inside Facebook, Messenger and Instagram. */
  inApp: InAppBrowser | null;
  /** The scheme of the bank's app that was opened last in this browser; a text from a cookie, so compare it only. */
  lastBank: string | null;
}

/** The browser inside Facebook, Messenger or Instagram, by its user agent; null for any other browser. */
export function findInAppBrowser(userAgent: string): InAppBrowser | null {
  if (!/\b(?:FBAN|FBAV|FB_IAB|MessengerForiOS|Instagram)\b/.test(userAgent)) return null;
  if (/\bAndroid\b/.test(userAgent)) return "android";
  return /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) ? "ios" : null;
}

/** What a request tells of the payer's phone. */
export function readPayerDevice(request: Request): PayerDevice {
  return {
    inApp: findInAppBrowser(request.headers.get("user-agent") ?? ""),
    lastBank: readCookie(request, cookieName("midman-bank")) ?? null,
  };
}
