import { actorOf, goTo } from "#app/server/pages/page-context";
import { signedOutHeaders, signOut } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { Route } from "./+types/logout.ts";

/** Ends this session in every tab. */
export async function action({ context, request }: Route.ActionArgs) {
  await signOut(actorOf(context));
  return goTo(paths.landing, { kind: "success", key: "toast.loggedOut" }, signedOutHeaders(request));
}

export function loader() {
  return goTo(paths.landing);
}
