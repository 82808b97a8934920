import { z } from "zod";
import { describeCall } from "#calls";
import type * as verbs from "./ask-support.ts";

export const askSupport = describeCall<typeof verbs.askSupport>({
  summary: "Send a support request",
  group: "Support",
  by: "anybody",
  answers: z.object({ success: z.boolean(), number: z.string() }),
  status: [200, 201],
  refuses: { THROTTLED: true },
});
