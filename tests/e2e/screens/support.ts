import { send } from "./acts.ts";
import type { Screen } from "./screen.ts";

const supportAsked = {
  topic: "payment",
  name: "Болд",
  email: "bold@example.mn",
  message: "Төлбөр төлсөн боловч баталгаажаагүй байна.",
};

/** The support form. */
export const supportScreens: Screen[] = [
  { name: "support", route: "support", at: "/support", public: true },
  { name: "support-wrong", route: "support", at: "/support", status: 422, act: send({ message: "short" }) },
  { name: "support-signed-in", route: "support", at: "/support?topic=payment", as: "buyer" },
  { name: "support-sent", route: "support", at: "/support", act: send(supportAsked) },
];
