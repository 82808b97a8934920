import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const quietFlags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** Debian's, where they are installed (servers, CI); elsewhere the browsers Playwright brings along. */
const systemBrowsers = { shell: "/usr/bin/chromium-headless-shell", whole: "/usr/bin/chromium" } as const;

/**
 * How a Chromium is started: its headless shell, which draws the same in two thirds of the time, or the whole browser, for
 * what the shell does not have (notifications). `CHROMIUM_PATH` names one for both.
 */
export function chromiumOptions(kind: keyof typeof systemBrowsers): LaunchOptions {
  const named = [process.env.CHROMIUM_PATH, systemBrowsers[kind], systemBrowsers.whole];
  const executablePath = named.find((path) => path !== undefined && existsSync(path));
  if (executablePath !== undefined) return { executablePath, args: [...quietFlags, ...asRoot] };
  return { args: quietFlags, ...(kind === "whole" && { channel: "chromium" }) };
}
