import { addDays } from "date-fns";
import { sql } from "drizzle-orm";
import { consentVersions } from "#forms/identity";
import { db } from "../../../db/client.ts";
import { stillMoment } from "../../support/programs/still-clock.ts";
import type { World } from "../world.ts";
import { invited, send } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** Somebody whose names were chosen before the rules of today comes to the page that asks for others; their own names are back then. */
const misnamed =
  (then?: Screen["act"]): Screen["act"] =>
  async (page, world) => {
    const call = (username: string, displayName: string) =>
      db().execute(sql`
        UPDATE identity.users SET username = ${username}, username_key = ${username}, display_name = ${displayName}
        WHERE id = ${world.ids.newcomer}`);
    await call("midman-payments.x", "Төрийн банк");
    try {
      await page.goto("/choose-name");
      await then?.(page, world);
    } finally {
      await call("oyunchimeg", "Оюунчимэг Өлзий");
    }
  };

/** Restricts the newcomer for a week, or with null no more. */
const restrict = ({ ids: { newcomer } }: World, kind: "limit" | "suspend" | null) =>
  db().execute(sql`
    UPDATE identity.users SET restriction = ${kind}, restricted_until = ${kind && addDays(stillMoment, 7).toISOString()}
    WHERE id = ${newcomer}`);

/** Loads the page as somebody reads it whom an administrator has limited. */
const limited: Screen["act"] = async (page, world) => {
  await restrict(world, "limit");
  try {
    await page.reload();
  } finally {
    await restrict(world, null);
  }
};

/** Somebody whose session a suspension ended; afterwards nothing is left of it. */
const suspended: Screen["act"] = async (page, world) => {
  const { newcomer } = world.ids;
  await db().execute(sql`
    INSERT INTO identity.suspended_sessions
    SELECT token_hash, user_id, expires_at FROM identity.sessions WHERE user_id = ${newcomer}`);
  await restrict(world, "suspend");
  try {
    await page.goto("/suspended");
  } finally {
    await restrict(world, null);
    await db().execute(sql`DELETE FROM identity.suspended_sessions WHERE user_id = ${newcomer}`);
  }
};

/** Somebody who agreed to the first version of the documents only, or with `null` to none; afterwards they have agreed again. */
const agreedTo =
  (who: "newcomer" | "admin", version: string | null): Screen["act"] =>
  async (page, { ids }) => {
    const store = async (stored: Record<string, string>) => {
      await db().execute(sql`DELETE FROM identity.consents WHERE user_id = ${ids[who]}`);
      for (const [document, agreed] of Object.entries(stored))
        await db().execute(
          sql`INSERT INTO identity.consents VALUES (${ids[who]}, ${document}, ${agreed}, now())`,
        );
    };
    await store(version === null ? {} : { terms: version, privacy: version });
    try {
      await page.goto("/agree");
    } finally {
      await store(consentVersions);
    }
  };

/** What somebody sees whose name or account is restricted, or who must agree to new documents first. */
export const restrictionScreens: Screen[] = [
  { name: "choose-name", route: "choose-name", at: "/choose-name", as: "newcomer", act: misnamed() },
  {
    name: "choose-name-wrong",
    route: "choose-name",
    at: "/choose-name",
    as: "newcomer",
    status: 422,
    act: misnamed(send({ displayName: "evil.mn", username: "qpay" })),
  },
  { name: "agree", route: "agree", at: "/agree", as: "newcomer", act: agreedTo("newcomer", "2025-05-12") },
  { name: "agree-first", route: "agree", at: "/agree", as: "admin", act: agreedTo("admin", null) },
  { name: "suspended", route: "suspended", at: "/suspended", as: "newcomer", status: 403, act: suspended },
  { name: "chat-limited", route: "chat", at: "/chat?dialog=create", as: "newcomer", act: limited },
  { name: "invitation-limited", route: "i/:code", at: invited("alone"), as: "newcomer", act: limited },
];
