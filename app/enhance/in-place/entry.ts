import { startPosting } from "./post.ts";

startPosting();
