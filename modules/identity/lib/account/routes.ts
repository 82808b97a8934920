import { Elysia } from "elysia";
import { z } from "zod";
import { formatDay } from "#format";
import { confirmSecondFactorInput, deleteAccountInput, notificationsInput } from "../../forms.ts";
import { expireSessionCookie, replySuccess } from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import { chooseNotifications, readNotificationChoices } from "../notifications/notification-kinds.ts";
import {
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from "../second-factor/manage-second-factor.ts";
import { beginSecondFactor, confirmSecondFactor } from "../second-factor/set-up-second-factor.ts";
import { revokeOtherSessions, revokeSession, sessionsOf } from "../sessions/signed-in-devices.ts";
import { deleteOwnAccount } from "./delete-own-account.ts";
import * as calls from "./operations.ts";
import { downloadPersonalData } from "./personal-data.ts";

/** The actor's signed-in devices. */
const signedInDeviceRoutes = new Elysia({ name: "identity.me.sessions" })
  .use(withActor)
  .get(
    "/api/users/me/sessions",
    async ({ actor }) => {
      const answer = await sessionsOf(actor);
      return answer.ok ? answer.sessions : answer;
    },
    { detail: calls.listSessions },
  )
  .delete(
    "/api/users/me/sessions/:id",
    async ({ actor, params }) => {
      const answer = await revokeSession(actor, params.id);
      return answer.ok ? replySuccess(actor, "sessionRevoked") : answer;
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
      return answer.ok ? { ...replySuccess(actor, "sessionsRevoked"), ended: answer.ended } : answer;
    },
    { detail: calls.endOtherSessions },
  );

/** The actor's second factor. Responses contain secrets that are shown once: no cache may store them. */
const secondFactorRoutes = new Elysia({ name: "identity.me.factor" })
  .use(withActor)
  .onBeforeHandle(({ set }) => {
    set.headers["cache-control"] = "no-store";
  })
  .get(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await secondFactorOf(actor);
      if (!answer.ok) return answer;
      const { ok: _, ...state } = answer;
      return state;
    },
    { detail: calls.showSecondFactor },
  )
  .post(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await beginSecondFactor(actor);
      if (!answer.ok) return answer;
      return { ...replySuccess(actor, "secondFactorBegun"), secret: answer.secret, uri: answer.uri };
    },
    { detail: calls.beginFactor },
  )
  .post(
    "/api/users/me/second-factor/confirm",
    async ({ actor, body }) => {
      const answer = await confirmSecondFactor(actor, body);
      if (!answer.ok) return answer;
      return { ...replySuccess(actor, "secondFactorOn"), recoveryCodes: answer.recoveryCodes };
    },
    { body: confirmSecondFactorInput, detail: calls.confirmFactor },
  )
  .post(
    "/api/users/me/second-factor/recovery-codes",
    async ({ actor }) => {
      const answer = await renewRecoveryCodes(actor);
      if (!answer.ok) return answer;
      return { ...replySuccess(actor, "recoveryCodesRenewed"), recoveryCodes: answer.recoveryCodes };
    },
    { detail: calls.renewCodes },
  )
  .delete(
    "/api/users/me/second-factor",
    async ({ actor }) => {
      const answer = await removeSecondFactor(actor);
      return answer.ok ? replySuccess(actor, "secondFactorOff") : answer;
    },
    { detail: calls.removeFactor },
  );

/** The actor's notifications and data, and the deletion of the account. */
const ownDataRoutes = new Elysia({ name: "identity.me.own" })
  .use(withActor)
  .get(
    "/api/users/me/notifications",
    async ({ actor }) => {
      const answer = await readNotificationChoices(actor);
      return answer.ok ? answer.notifications : answer;
    },
    { detail: calls.showNotificationChoices },
  )
  .patch(
    "/api/users/me/notifications",
    async ({ actor, body }) => {
      const answer = await chooseNotifications(actor, body);
      if (!answer.ok) return answer;
      return { ...replySuccess(actor, "notificationsSaved"), notifications: answer.notifications };
    },
    { body: notificationsInput, detail: calls.chooseNotifications },
  )
  .get(
    "/api/users/me/data",
    async ({ actor, set }) => {
      const answer = await downloadPersonalData(actor);
      set.headers["cache-control"] = "no-store";
      if (!answer.ok) return answer;
      const { data } = answer;
      set.headers["content-disposition"] =
        `attachment; filename="midman-data-${formatDay(data.generatedAt)}.json"`;
      return data;
    },
    { detail: calls.downloadOwnData },
  )
  .delete(
    "/api/users/me",
    async ({ actor, body, cookie, request, set }) => {
      const answer = await deleteOwnAccount(actor, body);
      if (!answer.ok) return answer;
      expireSessionCookie({ cookie, request, set });
      return replySuccess(actor, "accountDeleted");
    },
    { body: deleteAccountInput, detail: calls.deleteAccount },
  );

/** What people do with their own account (`/api/users/me/…`). */
export const ownAccountRoutes = new Elysia({ name: "identity.me" })
  .use(signedInDeviceRoutes)
  .use(secondFactorRoutes)
  .use(ownDataRoutes);
