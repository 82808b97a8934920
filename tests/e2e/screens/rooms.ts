import { connected, post, room, waitUntilUnattended } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** Fills in and sends a form of a room, whose script then speaks with the server again. */
const postInRoom =
  (form: string, fields: Record<string, string>): Screen["act"] =>
  async (page, world) => {
    await post(form, fields)?.(page, world);
    await connected?.(page, world);
  };

const allScreens: Screen[] = [
  { name: "chat", route: "chat", at: "/chat", as: "seller" },
  { name: "chat-empty", route: "chat", at: "/chat", as: "newcomer" },
  { name: "chat-create", route: "chat", at: "/chat?dialog=create", as: "newcomer" },
  { name: "chat-join", route: "chat", at: "/chat?dialog=join", as: "newcomer" },
  {
    name: "chat-invite",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=invite&room=${rooms.alone.id}`,
    as: "seller",
  },
  {
    name: "chat-again",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=create&with=${rooms.completed.id}`,
    as: "seller",
  },
  {
    name: "chat-kept",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=delete&room=${rooms.held.id}`,
    as: "seller",
  },
  { name: "chat-found", route: "chat", at: "/chat?q=minecraft", as: "buyer" },
  {
    name: "chat-delete",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=delete&room=${rooms.alone.id}`,
    as: "seller",
  },
  { name: "room-search", route: "chat/:id/search", at: room("talk", "/search"), as: "buyer" },
  {
    name: "room-search-none",
    route: "chat/:id/search",
    at: room("talk", "/search?q=nothing+like+this"),
    as: "buyer",
  },
  { name: "room-held-buyer", route: "chat/:id", at: room("held"), as: "buyer", act: connected },
  { name: "room-alone", route: "chat/:id", at: room("alone"), as: "seller", act: connected },
  {
    name: "room-invite",
    route: "chat/:id",
    at: room("alone", "?dialog=invite"),
    as: "seller",
    act: connected,
  },
  {
    name: "room-leave-held",
    route: "chat/:id",
    at: room("held", "?dialog=leave"),
    as: "buyer",
    act: connected,
  },
  {
    name: "room-request-review",
    route: "chat/:id/trade",
    at: room("talk", "/trade"),
    as: "seller",
    act: postInRoom("create-trade", { amount: "120000", goods: "account", description: "Түвшин 80" }),
  },
  {
    name: "room-bank-review",
    route: "chat/:id/trade",
    at: room("held", "/trade"),
    as: "seller",
    act: postInRoom("bank-info", {
      accountName: "Ганбатын Сарнай",
      bankName: "Хаан банк",
      accountNumber: "5012345678",
      phoneNumber: "99112233",
      email: "sarnai@example.mn",
    }),
  },
  { name: "room-leave", route: "chat/:id", at: room("talk", "?dialog=leave"), as: "buyer", act: connected },
  ...(
    [
      "talk",
      "requested",
      "waiting",
      "part",
      "failed",
      "checking",
      "held",
      "handedOver",
      "received",
      "settlement",
      "completed",
      "cancelled",
      "disputed",
    ] as const
  ).flatMap((state) =>
    (["seller", "buyer"] as const)
      .map((who) => ({
        name: `room-${state}-${who}`,
        route: "chat/:id",
        at: room(state),
        as: who,
        act: connected,
      }))
      .filter(({ name }) => name !== "room-held-buyer"),
  ),
  // The trade over the conversation: the next step of each state, for whoever has it.
  ...(
    [
      ["talk", "seller"],
      ["waiting", "seller"],
      ["waiting", "buyer"],
      ["held", "seller"],
      ["held", "buyer"],
      ["handedOver", "buyer"],
      ["received", "seller"],
      ["completed", "seller"],
      ["cancelled", "buyer"],
      ["disputed", "seller"],
      ["disputed", "buyer"],
    ] as const
  ).map(([state, who]) => ({
    name: `trade-${state}-${who}`,
    route: "chat/:id/trade",
    at: room(state, "/trade"),
    as: who,
    act: connected,
  })),
];

/** The list of rooms, and a room in each state of its trade for both parties. */
export const roomScreens: Screen[] = allScreens.map((screen) =>
  screen.route === "chat" ? { act: waitUntilUnattended, ...screen } : screen,
);
