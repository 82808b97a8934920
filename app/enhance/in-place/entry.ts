import { startParts } from "../browser/browser-needs.ts";
import { watchCorrections } from "./corrected-fields.ts";
import { startDialogs } from "./dialogs.ts";
import { startKeptReview } from "./kept-review.ts";
import { startPosting } from "./post.ts";
import { keepToastsPlaced } from "./toast-position.ts";

startParts([startPosting, startDialogs, startKeptReview, keepToastsPlaced, watchCorrections]);
