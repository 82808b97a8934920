import { Elysia } from "elysia";
import { z } from "zod";
import { day } from "#format";
import { confirmSecondFactorInput, deleteAccountInput, notificationsInput } from "../../forms.ts";
import { done, takeBack } from "../core/route-words.ts";
import { withActor } from "../core/with-actor.ts";
import { chooseNotifications, notificationChoices } from "../notifications/notification-kinds.ts";
import {
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from "../second-factor/manage-second-factor.ts";
import { beginSecondFactor, confirmSecondFactor } from "../second-factor/turn-on.ts";
import { revokeOtherSessions, revokeSession, sessionsOf } from "../sessions/signed-in-devices.ts";
import { deleteOwnAccount } from "./delete-own-account.ts";
import * as calls from "./operations.ts";
import { dataOf } from "./personal-data.ts";

/** One's signed-in devices. */
const devices = new Elysia({ name: "identity.me.sessions" })
  .use(withActor)
  .get(
    "/api/users/me/sessions",
    async ({ actor }) => {
      const answer = await sessionsOf(actor);
      return answer.ok ? answer.sessions : answer;
    },
    { detail: calls.sessions },
  )
  .delete(
    "/api/users/me/sessions/:id",
    async ({ actor, params }) => {
      const answer = await revokeSession(actor, params.id);
      return answer.ok ? done(actor, "sessionRevoked") : answer;
    },
    {
      params: z.object({
        id: z
          .string()
          .regex(/^[1-9]\d{0,14}$/)
          .transform(Number),
      }),
      detail: calls.endSession,
    },
  )
  .delete(
    "/api/users/me/sessions",
    async ({ actor }) => {
      const answer = await revokeOtherSessions(actor);
      return answer.ok ? { ...done(actor, "sessionsRevoked"), ended: answer.ended } : answer;
    },
    { detail: calls.endOtherSessions },
  );

/** One's second factor. What is secret in an answer is shown once: no cache may keep it. */
const factor = new Elysia({ name: "identity.me.factor" })
  .use(withActor)
  .onBeforeHandle(({ set }) => {
    set.headers["cache-control"] = "no-store";
  })
  .get(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await secondFactorOf(actor);
      if (!answer.ok) return answer;
      const { ok: _, ...standing } = answer;
      return standing;
    },
    { detail: calls.factor },
  )
  .post(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await beginSecondFactor(actor);
      if (!answer.ok) return answer;
      return { ...done(actor, "secondFactorBegun"), secret: answer.secret, uri: answer.uri };
    },
    { detail: calls.beginFactor },
  )
  .post(
    "/api/users/me/second-factor/confirm",
    async ({ actor, body }) => {
      const answer = await confirmSecondFactor(actor, body);
      if (!answer.ok) return answer;
      return { ...done(actor, "secondFactorOn"), recoveryCodes: answer.recoveryCodes };
    },
    { body: confirmSecondFactorInput, detail: calls.confirmFactor },
  )
  .post(
    "/api/users/me/second-factor/recovery-codes",
    async ({ actor }) => {
      const answer = await renewRecoveryCodes(actor);
      if (!answer.ok) return answer;
      return { ...done(actor, "recoveryCodesRenewed"), recoveryCodes: answer.recoveryCodes };
    },
    { detail: calls.renewCodes },
  )
  .delete(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await removeSecondFactor(actor);
      return answer.ok ? done(actor, "secondFactorOff") : answer;
    },
    { detail: calls.removeFactor },
  );

/** One's notifications, one's data, and one's going. */
const own = new Elysia({ name: "identity.me.own" })
  .use(withActor)
  .get(
    "/api/users/me/notifications",
    async ({ actor }) => {
      const answer = await notificationChoices(actor);
      return answer.ok ? answer.notifications : answer;
    },
    { detail: calls.notifications },
  )
  .patch(
    "/api/users/me/notifications",
    async ({ actor, body }) => {
      const answer = await chooseNotifications(actor, body);
      if (!answer.ok) return answer;
      return { ...done(actor, "notificationsSaved"), notifications: answer.notifications };
    },
    { body: notificationsInput, detail: calls.chooseNotifications },
  )
  .get(
    "/api/users/me/data",
    async ({ actor, set }) => {
      const answer = await dataOf(actor);
      set.headers["cache-control"] = "no-store";
      if (!answer.ok) return answer;
      const { data } = answer;
      set.headers["content-disposition"] = `attachment; filename="midman-data-${day(data.generatedAt)}.json"`;
      return data;
    },
    { detail: calls.data },
  )
  .delete(
    "/api/users/me",
    async ({ actor, body, cookie, request, set }) => {
      const answer = await deleteOwnAccount(actor, body);
      if (!answer.ok) return answer;
      takeBack({ cookie, request, set });
      return done(actor, "accountDeleted");
    },
    { body: deleteAccountInput, detail: calls.deleteAccount },
  );

/** What a person does with their own account (`/api/users/me/…`). */
export const meHttp = new Elysia({ name: "identity.me" }).use(devices).use(factor).use(own);
