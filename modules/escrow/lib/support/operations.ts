import { z } from "zod";
import { describeCall } from "#calls";

export const askSupport = describeCall({
  summary: "Ask for support",
  group: "Support",
  by: "anybody",
  answers: z.object({ success: z.boolean(), number: z.string() }),
  status: [200, 201],
  refuses: ["THROTTLED"],
});
