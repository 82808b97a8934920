import { actorOf, goTo } from "#app/http/pages";
import { verifyEmail } from "#modules/identity";
import { paths } from "../paths.ts";
import type { Route } from "./+types/verify-email.ts";

/**
 * The link of the verification mail. Opening it is enough: it proves that the mail arrived, and gives nobody more than
 * a confirmed address, so a mail scanner that opens it first does no harm.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const done = await verifyEmail(actorOf(context), { token });
  if (done.ok) return goTo(paths.landing, { kind: "success", key: "toast.emailVerified" });
  return goTo(paths.landing, { kind: "error", key: `errors.${done.code}` });
}
