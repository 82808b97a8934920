import type { Tx } from "#db/client";
import { sendMail, type TemplateData } from "#modules/mailer";
import type { Origin } from "../core/actor.ts";
import type { UserRow } from "../core/users/find-users.ts";
import { greetedName } from "../names/greeted-name.ts";
import { deviceName } from "../request/device-name.ts";

type SecurityEvent = TemplateData["securityNotice"]["event"];

/** Mails the owner of an account what was done to it, when and from which device. This mail cannot be switched off. */
export async function mailSecurityNotice(
  tx: Tx,
  user: UserRow,
  event: SecurityEvent,
  origin: Origin,
  at: Date,
  url = "/settings",
): Promise<void> {
  if (user.email === null) return;
  const { browser, system } = deviceName(origin.device);
  const device = [browser, system].filter((part) => part !== null).join(", ");
  await sendMail(tx, {
    template: "securityNotice",
    to: user.email,
    language: user.language,
    data: {
      name: greetedName(user),
      event,
      moment: at.toISOString(),
      device: device || "–",
      url,
    },
    userId: user.id,
  });
}
