import { z } from "zod";
import { call } from "#calls";

export const ask = call({
  summary: "Ask for support",
  group: "Support",
  by: "anybody",
  answers: z.object({ success: z.boolean(), number: z.string() }),
  status: [200, 201],
  refuses: ["THROTTLED"],
});
