import type { ComponentProps } from "react";
import { useSignedInId } from "../frame/visit.tsx";
import { shownToField } from "./shown-to.ts";

type PersonFormProps = Omit<ComponentProps<"form">, "method" | "action"> & {
  action?: string;
  /** The signed-in person where no page's visit is at hand: in an island. */
  person?: number;
};

/**
 * A form that posts and names the person to whom its page was shown; for a visitor it names nobody. Another may sign in at the same browser
 * before it is sent: the server then does nothing in their name. A form with files says so in its address, which the server reads without
 * the files.
 */
export function PersonForm({ person, action, children, ...form }: PersonFormProps) {
  const signedIn = useSignedInId();
  const shownTo = person ?? signedIn;
  if (form.encType !== undefined && shownTo !== undefined) {
    const to = `${action ?? ""}${action?.includes("?") ? "&" : "?"}${shownToField}=${shownTo}`;
    return (
      <form {...form} method="post" action={to}>
        {children}
      </form>
    );
  }
  return (
    <form {...form} method="post" action={action}>
      {shownTo !== undefined && <input type="hidden" name={shownToField} value={shownTo} />}
      {children}
    </form>
  );
}
