import { cookieName } from "#modules/identity";
import type { PayerDevice } from "../../ui/frame/visit.tsx";
import { readCookie } from "./toast-cookie.ts";

/** The browser inside Facebook, Messenger or Instagram, by its user agent; null for any other browser. */
export function findInAppBrowser(userAgent: string): PayerDevice["inApp"] {
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
