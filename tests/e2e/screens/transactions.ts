import type { World } from "../world.ts";
import { post } from "./acts.ts";
import type { Screen } from "./screen.ts";

const transaction =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/transactions/${rooms[state].trade}`;

/** A member's transactions. */
export const transactionScreens: Screen[] = [
  { name: "history", route: "history", at: "/history", as: "seller" },
  { name: "history-empty", route: "history", at: "/history", as: "newcomer" },
  { name: "history-guarded", route: "history", at: "/history", status: 401 },
  ...(["requested", "held", "settlement", "cancelled", "disputed"] as const).map((state) => ({
    name: `transaction-${state}`,
    route: "transactions/:id",
    at: transaction(state),
    as: "seller" as const,
  })),
  { name: "transaction-buyer", route: "transactions/:id", at: transaction("handedOver"), as: "buyer" },
  {
    name: "transaction-wrong",
    route: "transactions/:id",
    at: transaction("held"),
    as: "buyer",
    status: 422,
    act: post("message", { content: " " }),
  },
  {
    name: "transaction-missing",
    route: "transactions/:id",
    at: "/transactions/999999",
    as: "newcomer",
    status: 404,
  },
  { name: "transaction-guarded", route: "transactions/:id", at: transaction("held"), status: 401 },
];
