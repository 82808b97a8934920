import { actorOf, goTo } from "#app/server/pages/page-context";
import { verifyEmail } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/verify-email.ts";

/**
 * The link of the verification mail. Opening it is enough: it proves that the mail arrived, and gives nobody more than
 * a confirmed address, so a mail scanner that opens it first does no harm.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const actor = actorOf(context);
  const done = await verifyEmail(actor, { token });
  const said = { key: done.ok ? "toast.emailVerified" : `errors.${done.code}` };
  // Whoever is signed in would be sent on from the landing page before the toast was read.
  const to = actor.kind === "user" ? paths.chat : `${paths.landing}#auth`;
  return goTo(to, { kind: done.ok ? "success" : "error", ...said });
}
