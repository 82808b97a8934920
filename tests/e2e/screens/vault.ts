import { post, room } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** Unfolds what asks before the hand-over is opened. */
const askToOpen: Screen["act"] = (page) =>
  page.locator('main details:has(input[value="open"]) > summary').click();

/** The page on which a login is sealed and opened. */
export const vaultScreens: Screen[] = [
  ...(["seller", "buyer"] as const).flatMap((who) =>
    (["waiting", "held", "sealed", "unsealed", "vaultOver"] as const).map((state) => ({
      name: `vault-${state}-${who}`,
      route: "chat/:id/vault",
      at: room(state, "/vault"),
      as: who,
      ...(state === "sealed" && who === "buyer" && { act: askToOpen }),
    })),
  ),
  {
    name: "vault-wrong",
    route: "chat/:id/vault",
    at: room("held", "/vault"),
    as: "seller",
    status: 422,
    act: async (page, world) => {
      await page.locator('[name="sure"]').check();
      await post("seal", { login: "altan_burged", password: "Khangai-2025!", email: "altan" })?.(page, world);
    },
  },
  {
    name: "vault-read",
    route: "chat/:id/vault",
    at: room("read", "/vault"),
    as: "buyer",
    act: async (page, world) => {
      await askToOpen?.(page, world);
      await post("open", {})?.(page, world);
    },
  },
];
