import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import type { Client, Reply } from "../server/http-client.ts";
import { type Server, testAdministrator } from "../server/midman-server.ts";

/** Somebody signed in. */
export type Person = Client & { id: number; username: string; password: string; email: string };

let registeredPeople = 0;

/** A new user of the server, registered and signed in through the API. */
export async function registerPerson(
  server: Pick<Server, "client">,
  displayName = "Bat Erdene",
): Promise<Person> {
  const browser = server.client();
  const username = `user${++registeredPeople}x${crypto.randomUUID().slice(0, 8)}`;
  const account = {
    username,
    password: `pass ${crypto.randomUUID()}`,
    displayName,
    email: `${username}@example.mn`,
  };
  expectStatus(await browser.post("/api/auth/register", { ...account, avatarInitials: "" }), 200, 201);
  const { body } = expectStatus(await browser.get("/api/auth/user"), 200);
  return { ...browser, ...account, id: body.id };
}

/** The administrator the server was started with, signed in just now. */
export async function signInAdministrator(server: Pick<Server, "client">): Promise<Client> {
  const browser = server.client();
  expectStatus(await browser.post("/api/admin/login", testAdministrator), 200);
  return browser;
}

/** A room of two: who opened it sells, who joined buys. */
export async function makeRoomPair(server: Pick<Server, "client">) {
  const [seller, buyer] = await Promise.all([
    registerPerson(server, "Seller One"),
    registerPerson(server, "Buyer Two"),
  ]);
  return makeRoomOf({ seller, buyer });
}

/** A further room of two who are there already. */
export async function makeRoomOf<P extends Client>({ seller, buyer }: { seller: P; buyer: P }) {
  const room = expectStatus(await seller.post("/api/chat/rooms", { name: "A game account" }), 200, 201).body;
  const invite = expectStatus(await seller.post(`/api/chat/rooms/${room.id}/invite`), 200).body;
  expectStatus(await buyer.post("/api/chat/join", { code: invite.inviteCode }), 200);
  return { seller, buyer, roomId: room.id, inviteCode: invite.inviteCode };
}

/** The reply itself, when its status is one of those; else an error that shows it. */
export function expectStatus(reply: Reply, ...statuses: number[]): Reply {
  if (statuses.includes(reply.status)) return reply;
  throw new Error(`expected ${statuses.join(" or ")}, got ${reply.status}: ${reply.text.slice(0, 500)}`);
}

/** Makes every login of a person older than counts as fresh. */
export const ageLogins = ({ id }: { id: number }) =>
  db().execute(sql`
    UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes' WHERE user_id = ${id}`);
