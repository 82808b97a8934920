import { Elysia } from "elysia";
import { z } from "zod";
import { pushSubscriptionInput } from "#forms/mailer";
import { tellingInput } from "../../forms.ts";
import { done } from "../core/route-words.ts";
import { withActor } from "../core/with-actor.ts";
import { chooseTelling, telling } from "./notification-preferences.ts";
import * as calls from "./operations.ts";
import { notifiedDevices, pushKey, tryPush, turnPushOff, turnPushOn } from "./push-devices.ts";

const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

/** Notifications on one's devices, and how and when one is told. */
export const pushHttp = new Elysia({ name: "identity.push" })
  .use(withActor)
  .get("/api/push/key", async () => ({ key: await pushKey() }), { detail: calls.pushKey })
  .get(
    "/api/push/subscriptions",
    async ({ actor }) => {
      const answer = await notifiedDevices(actor);
      return answer.ok ? answer.devices : answer;
    },
    { detail: calls.subscriptions },
  )
  .post(
    "/api/push/subscriptions",
    async ({ actor, body }) => {
      const answer = await turnPushOn(actor, body);
      return answer.ok ? done(actor, "pushOn") : answer;
    },
    { body: pushSubscriptionInput, detail: calls.subscribe },
  )
  .delete(
    "/api/push/subscriptions",
    async ({ actor }) => {
      const answer = await turnPushOff(actor);
      return answer.ok ? done(actor, "pushOff") : answer;
    },
    { detail: calls.unsubscribe },
  )
  .delete(
    "/api/push/subscriptions/:id",
    async ({ actor, params }) => {
      const answer = await turnPushOff(actor, params.id);
      return answer.ok ? done(actor, "pushOff") : answer;
    },
    { params: z.object({ id }), detail: calls.unsubscribeOther },
  )
  .post(
    "/api/push/test",
    async ({ actor }) => {
      const answer = await tryPush(actor);
      return answer.ok ? done(actor, "pushTried") : answer;
    },
    { detail: calls.tryPush },
  )
  .get(
    "/api/users/me/telling",
    async ({ actor }) => {
      const answer = await telling(actor);
      return answer.ok ? answer.telling : answer;
    },
    { detail: calls.howTold },
  )
  .put(
    "/api/users/me/telling",
    async ({ actor, body }) => {
      const answer = await chooseTelling(actor, body);
      return answer.ok ? { ...done(actor, "notificationsSaved"), telling: answer.telling } : answer;
    },
    { body: tellingInput, detail: calls.chooseTelling },
  );
