import { makeRoomPair, registerPerson } from "../../support/people/registered-people.ts";
import type { Server } from "../../support/server/midman-server.ts";
import { openPaidTrade } from "../../support/trades/server-trades.ts";
import type { Begun, Values } from "./form-case.ts";

// Who a form is tried by, and where they are.

/** A new member at this address. */
export async function someone(server: Server, at: string, right: Values): Promise<Begun> {
  return { at, who: await registerPerson(server), right };
}

/** One party of a new room, in its conversation or at its trade. */
export async function inRoom(
  server: Server,
  who: "seller" | "buyer",
  right: Values,
  rest: "" | "/trade" = "",
): Promise<Begun> {
  const { roomId, ...pair } = await makeRoomPair(server);
  return { at: `/chat/${roomId}${rest}`, who: pair[who], right };
}

/** One party of a trade that is paid, at the trade. */
export async function inPaidRoom(server: Server, who: "seller" | "buyer", right: Values): Promise<Begun> {
  const { roomId, ...deal } = await openPaidTrade(server);
  return { at: `/chat/${roomId}/trade`, who: deal[who], right };
}
