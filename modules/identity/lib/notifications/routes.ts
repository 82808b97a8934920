import { Elysia } from "elysia";
import { z } from "zod";
import { pushSubscriptionInput } from "#forms/mailer";
import { notificationPreferencesInput } from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { withActor } from "../core/with-actor.ts";
import { chooseNotificationPreferences, readNotificationPreferences } from "./notification-preferences.ts";
import * as calls from "./operations.ts";
import { notifiedDevices, pushKey, sendTestNotification, turnPushOff, turnPushOn } from "./push-devices.ts";

const deviceIdSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

/** Push notifications on a person's browsers, and their preferences. */
export const notificationRoutes = new Elysia({ name: "identity.push" })
  .use(withActor)
  .get("/api/push/key", async () => ({ key: await pushKey() }), { detail: calls.showPushKey })
  .get(
    "/api/push/subscriptions",
    async ({ actor }) => {
      const answer = await notifiedDevices(actor);
      return answer.ok ? answer.devices : answer;
    },
    { detail: calls.listSubscriptions },
  )
  .post(
    "/api/push/subscriptions",
    async ({ actor, body }) => {
      const answer = await turnPushOn(actor, body);
      return answer.ok ? replySuccess(actor, "pushOn") : answer;
    },
    { body: pushSubscriptionInput, detail: calls.subscribeBrowser },
  )
  .delete(
    "/api/push/subscriptions",
    async ({ actor }) => {
      const answer = await turnPushOff(actor);
      return answer.ok ? replySuccess(actor, "pushOff") : answer;
    },
    { detail: calls.unsubscribeBrowser },
  )
  .delete(
    "/api/push/subscriptions/:id",
    async ({ actor, params }) => {
      const answer = await turnPushOff(actor, params.id);
      return answer.ok ? replySuccess(actor, "pushOff") : answer;
    },
    { params: z.object({ id: deviceIdSchema }), detail: calls.unsubscribeOtherBrowser },
  )
  .post(
    "/api/push/test",
    async ({ actor }) => {
      const answer = await sendTestNotification(actor);
      return answer.ok ? replySuccess(actor, "pushTried") : answer;
    },
    { detail: calls.testPush },
  )
  .get(
    "/api/users/me/telling",
    async ({ actor }) => {
      const answer = await readNotificationPreferences(actor);
      return answer.ok ? answer.notificationPreferences : answer;
    },
    { detail: calls.showNotificationPreferences },
  )
  .put(
    "/api/users/me/telling",
    async ({ actor, body }) => {
      const answer = await chooseNotificationPreferences(actor, body);
      return answer.ok
        ? { ...replySuccess(actor, "notificationsSaved"), telling: answer.notificationPreferences }
        : answer;
    },
    { body: notificationPreferencesInput, detail: calls.updateNotificationPreferences },
  );
