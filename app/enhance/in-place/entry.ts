import { startDialogs } from "./dialogs.ts";
import { startPosting } from "./post.ts";

startPosting();
startDialogs();
