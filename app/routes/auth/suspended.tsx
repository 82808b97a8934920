import { data, useActionData, useLoaderData } from "react-router";
import { actorOf, type Context, goTo, postedForm } from "#app/server/pages/page-context";
import { translator } from "#locales";
import { suspensionOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { packed } from "../../ui/forms/message.ts";
import { useText } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import { SuspendedHelp } from "../../ui/layout/suspended-help.tsx";
import type { Route } from "./+types/suspended.ts";

/**
 * The page for a browser whose session a suspension ended: the cause, the last day, and how to reach Support. The room's script shows `#suspension`
 * inside the room.
 */
export function loader({ context }: Route.LoaderArgs) {
  return answerWith(context, "");
}

/** Receives a form that `memberOnly` forwarded, and shows its message to the person again. */
export async function action({ context, request }: Route.ActionArgs) {
  const content = (await postedForm(request)).get("content");
  return answerWith(context, typeof content === "string" ? content : "");
}

/** Answers 403 with the unsent message. Redirects a person who is not suspended to the landing page. */
function answerWith(context: Context, unsent: string) {
  const actor = actorOf(context);
  const suspension = suspensionOf(actor);
  if (suspension === undefined) throw goTo(paths.landing);
  const { says, params } = suspension;
  const title = translator(actor.language)(
    params.until === undefined ? "auth.closedTitle" : "auth.suspendedTitle",
  );
  return data({ title, says, params, unsent }, { status: 403 });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Suspended() {
  const text = useText();
  const { title, says, params } = useLoaderData<typeof loader>();
  const unsent = useActionData<typeof action>()?.unsent ?? "";
  return (
    <Page width="narrow">
      <PageHead title={title} />
      <Card>
        <div id="suspension" className="grid gap-3">
          <Notice tone="bad">{text(says, params)}</Notice>
          <SuspendedHelp errors={[packed(says, params)]} />
        </div>
        {unsent !== "" && (
          <label className="grid gap-1.5">
            <span className="font-semibold">{text("auth.suspendedUnsent")}</span>
            <textarea
              readOnly
              rows={4}
              defaultValue={unsent}
              className="w-full rounded-control border border-edge bg-page px-3 py-2 text-base"
            />
          </label>
        )}
      </Card>
    </Page>
  );
}
