import { startDialogs } from "./dialogs.ts";
import { startPosting } from "./post.ts";

/** Forms and dialogs answer on the page that has them. */
export function startInPlace(): void {
  startPosting();
  startDialogs();
}
