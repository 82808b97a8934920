import { actorOf, goTo } from "#app/server/pages/page-context";
import { verifyEmail } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/verify-email.ts";

/**
 * Handles the link of the verification email. Opening it is enough: it proves that the email arrived and grants nothing but a confirmed
 * address, so a mail scanner that opens it first does no harm.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const actor = actorOf(context);
  const done = await verifyEmail(actor, { token });
  const said = { key: done.ok ? "toast.emailVerified" : `errors.${done.code}` };
  // The landing page would redirect a signed-in person before the toast is read.
  const to = actor.kind === "user" ? paths.chat : `${paths.landing}#auth`;
  return goTo(to, { kind: done.ok ? "success" : "error", ...said });
}
