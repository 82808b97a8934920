import { expect, type Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { TOTP } from "otpauth";
import { db } from "../../../db/client.ts";
import { expectStatus, signInAdministrator } from "../../support/people/registered-people.ts";
import { type Server, testAdministrator } from "../../support/server/midman-server.ts";

const step = 30_000;

/** What the administrator has at hand: their app, whose every code is newer than the last, and a paper with codes. */
export type Factor = { code(): string; recovery: string };

/** Turns the administrator's second factor on. */
export async function secondFactor(server: Server): Promise<Factor> {
  const admin = await signInAdministrator(server);
  const secret = String(expectStatus(await admin.post("/api/users/me/second-factor"), 200, 201).body.secret);
  let next = 0;
  const code = () => {
    const timestamp = Math.max(next, Date.now());
    next = timestamp + step;
    return new TOTP({ secret }).generate({ timestamp });
  };
  const on = expectStatus(
    await admin.post("/api/users/me/second-factor/confirm", { code: code() }),
    200,
  ).body;
  const [recovery = ""] = on.recoveryCodes as string[];
  return { code, recovery };
}

/** Fills in the administrator's name and password. */
export async function password(page: Page): Promise<void> {
  await page.getByLabel("Username").fill(testAdministrator.username);
  await page.getByLabel("Password", { exact: true }).fill(testAdministrator.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Then the code that the app shows. */
export async function appCode(page: Page, factor: Factor): Promise<void> {
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByLabel("One-time code").fill(factor.code());
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Or, with the phone not at hand, one of the paper. */
export async function paperCode(page: Page, factor: Factor): Promise<void> {
  await page.getByRole("link", { name: "Don't have your phone? Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(factor.recovery);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** So long was the administrator away that their sign-in is fresh no more. */
export async function away(): Promise<void> {
  await db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'
    WHERE user_id = (SELECT id FROM identity.users WHERE username = ${testAdministrator.username})`);
}
