import { sql } from "drizzle-orm";
import { formatDay } from "#format";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { postForm } from "../support/pages/post-form.ts";
import { expectStatus, signInAdministrator } from "../support/people/registered-people.ts";
import { stillMoment } from "../support/programs/still-clock.ts";
import type { Body, Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { beginFactor, codeOf, enrol, keepPasskeys } from "./enrolment.ts";

/**
 * Who looks at a page; a visitor has no cookie. `careful` has a second factor and passkeys, `setting` is about to turn one on,
 * `newcomer` has done nothing yet. `watched` looks at nothing, so that what they did stays as it is.
 */
export type Who = "visitor" | "seller" | "buyer" | "newcomer" | "careful" | "setting" | "watched" | "admin";

/** A server with people, rooms and trades, the same each time it is made. */
export type World = {
  server: Server;
  people: Record<Who, Client>;
  /** The ids of those who are signed in. */
  ids: Record<Exclude<Who, "visitor">, number>;
  /** Rooms by the state of their trade; `alone` has one person, `talk` two and no trade. */
  rooms: Record<RoomState, { id: number; trade: number; invoice: string; code: string }>;
  /** The codes that invite to a room with a free seat, and to a full one. */
  invites: Record<"alone" | "talk", string>;
  /** Payouts by how far they are. */
  payouts: Record<"due" | "sent", number>;
  /** The mails there were when it was made, by their numbers; a mail that came later is in no picture. */
  mails: number[];
  /** Takes back what looking at its rooms has left behind: how far each was read. */
  unread(): Promise<void>;
  stop(): Promise<void>;
};

export type RoomState = "alone" | "talk" | keyof typeof steps;

type Deal = { seller: Client; buyer: Client; admin: Client; at: string; id: number };
type Step = (deal: Deal) => Promise<unknown>;

const press =
  (who: "seller" | "buyer", what: string, body?: unknown): Step =>
  async (deal) =>
    expectStatus(await deal[who].post(`${deal.at}/${what}`, body), 200, 201);

const invoice: Step = async ({ buyer, id }) =>
  expectStatus(await buyer.post("/api/qpay/invoices", { transactionId: id }), 200);
const pay =
  (told: object): Step =>
  async ({ buyer, at }) => {
    const shown = expectStatus(await buyer.post(`${at}/payment`), 200).body;
    expectStatus(await buyer.post(`/sandbox/qpay/pay/${shown.invoiceId}`, { callback: false, ...told }), 200);
    expectStatus(await buyer.post(`${at}/verify`), 200);
  };
const bank: Step = press("seller", "bank-info", {
  infoType: "seller",
  accountName: "Ганбатын Сарнай",
  bankName: "Хаан банк",
  accountNumber: "5012345678",
  phoneNumber: "99112233",
  email: "sarnai@example.mn",
});
const paid = [invoice, pay({})];
const handedOver = [...paid, press("seller", "hand-over", { note: "Нэвтрэх нэр, нууц үгийг өрөөнд өгсөн" })];
const sealed = [
  ...paid,
  press("seller", "vault", {
    login: "altan_burged",
    password: "Khangai-2025!",
    email: "altan.burged@example.mn",
    recoveryNotes: "7F3K-92QX\n5D8M-41ZP",
    notes: "Бүртгэлийн бүс: SEA",
  }),
];
const unsealed = [...sealed, press("buyer", "vault/open"), press("buyer", "vault/check", { password: true })];
const received = [...handedOver, bank, press("buyer", "complete")];
const settled = [...received, press("seller", "complete")];

/** The states of a trade worth a picture, by the steps that lead there. */
const steps = {
  requested: [],
  waiting: [invoice],
  part: [invoice, pay({ amount: 20_000 })],
  failed: [invoice, pay({ status: "FAILED" })],
  /** On hold: the provider reports a payment in another currency. */
  checking: [invoice, pay({ currency: "USD" }), press("buyer", "verify")],
  held: paid,
  handedOver,
  sealed,
  unsealed,
  /** Opened again and again for its pictures. */
  read: unsealed,
  vaultOver: [...unsealed, press("buyer", "cancel"), press("seller", "cancel", { vaultShown: "opened:1" })],
  received,
  settlement: settled,
  completed: [
    ...settled,
    async ({ admin, id }) =>
      expectStatus(
        await postAsShown(admin, `/api/admin/transactions/${id}/settle`, { bankReference: "KHAN-0514-77" }),
        200,
      ),
  ],
  cancelled: [...paid, press("buyer", "cancel"), press("seller", "cancel")],
  disputed: [
    ...handedOver,
    press("buyer", "dispute", { reason: "Нэвтэрч чадахгүй байна, нууц үг буруу гэнэ." }),
  ],
} satisfies Record<string, Step[]>;

const amounts: Record<keyof typeof steps, number> = {
  requested: 45_000,
  waiting: 60_000,
  part: 120_000,
  failed: 90_000,
  checking: 130_000,
  held: 250_000,
  handedOver: 150_000,
  sealed: 95_000,
  unsealed: 96_000,
  read: 97_000,
  vaultOver: 98_000,
  received: 800_000,
  settlement: 75_000,
  completed: 55_000,
  cancelled: 110_000,
  disputed: 1_250_000,
};

const goods: Record<keyof typeof steps, string> = {
  requested: "PUBG Mobile бүртгэл",
  waiting: "Steam түлхүүр",
  part: "Mobile Legends бүртгэл",
  failed: "Valorant бүртгэл",
  checking: "Diablo IV бүртгэл",
  held: "Genshin Impact бүртгэл, 58 түвшин",
  handedOver: "Dota 2-ын өвлийн багц",
  sealed: "Clash of Clans бүртгэл",
  unsealed: "Fortnite бүртгэл",
  read: "Apex Legends бүртгэл",
  vaultOver: "Brawl Stars бүртгэл",
  received: "CS2 хутга, Factory New",
  settlement: "Roblox бүртгэл",
  completed: "Minecraft лиценз",
  cancelled: "World of Warcraft алт",
  disputed: "Windows 11 Pro лицензийн түлхүүр",
};

/** As if the day's head of the log had been sent to administrators: or the job that runs every ten minutes sends it at some time meanwhile. */
function headSent(): Promise<void> {
  return waitUntil(async () => {
    const sent = await db().execute(sql`
      INSERT INTO audit.heads (at, block, head, sent_to)
      SELECT ${stillMoment}, n, head, 'administrators' FROM audit.blocks ORDER BY n DESC LIMIT 1 RETURNING id`);
    return sent.length > 0;
  });
}

/** Starts a server on a clock that stands and fills it, the people through its API as anybody would be. */
export async function makeWorld(): Promise<World> {
  const server = await startServer({ program: "tests/support/programs/still-clock-server.ts" });
  connectDatabase(server.databaseUrl);
  const admin = await signInAdministrator(server);
  await headSent();
  const seller = await enrol(server, "sarnai", "Сарнай Ганбат");
  const buyer = await enrol(server, "bold", "Болд Үүрцайх");
  const newcomer = await enrol(server, "oyunchimeg", "Оюунчимэг Өлзий");
  const careful = await enrol(server, "naran", "Наран Цэцэг");
  const watched = await enrol(server, "khulan", "Хулан Энхбаяр");
  await mailed();
  await busy(watched);
  expectStatus(
    await careful.post("/api/users/me/second-factor/confirm", { code: codeOf(await beginFactor(careful)) }),
    200,
  );
  await keepPasskeys(careful);
  const setting = await enrol(server, "temuulen", "Тэмүүлэн Бат");
  await beginFactor(setting);
  const people = { visitor: server.client(), seller, buyer, newcomer, careful, setting, watched, admin };
  const alone = await openRoom(seller, "League of Legends бүртгэл");
  const talk = await pair(people, "Twitch суваг, 12 мянган дагагчтай");
  const rooms: Partial<World["rooms"]> = { alone: bare(alone.id), talk: bare(talk) };
  for (const state of Object.keys(steps) as Array<keyof typeof steps>) {
    rooms[state] = await deal(people, state);
  }
  expectStatus(await admin.post("/api/admin/reconciliation", { day: formatDay(stillMoment) }), 200);
  const kept = await postForm(admin, "/admin/users?q=sarnai&sort=name", {
    form: "save-filter",
    name: "Сарнай гэдэг хүмүүс",
  });
  expectStatus(kept, 303);
  await mailed();
  const mails = expectStatus(await server.client().get("/sandbox/mail.json"), 200).list.map(({ id }) =>
    Number(id),
  );
  const unread = await keepMarks();
  const stop = async () => {
    await disconnectDatabase();
    await server.stop();
  };
  const payouts = {
    due: await payoutOf(admin, rooms.settlement?.trade),
    sent: await payoutOf(admin, rooms.completed?.trade),
  };
  const inviteTo = async (id: number) =>
    expectStatus(await seller.post(`/api/chat/rooms/${id}/invite`), 200).body.inviteCode;
  const invites = { alone: await inviteTo(alone.id), talk: await inviteTo(talk) };
  const ids = await idsOf({ seller, buyer, newcomer, careful, setting, watched, admin });
  return { server, people, ids, rooms: rooms as World["rooms"], invites, payouts, mails, unread, stop };
}

async function payoutOf(admin: Client, trade: number | undefined): Promise<number> {
  const { payouts } = expectStatus(await admin.get(`/api/admin/transactions/${trade}`), 200)
    .body as unknown as {
    payouts: Array<{ id: number }>;
  };
  return payouts[0]?.id ?? 0;
}

async function idsOf<W extends string>(people: Record<W, Client>): Promise<Record<W, number>> {
  const ids: Partial<Record<W, number>> = {};
  for (const who of Object.keys(people) as W[]) {
    ids[who] = Number(expectStatus(await people[who].get("/api/auth/user"), 200).body.id);
  }
  return ids as Record<W, number>;
}

/** How far each room was read when the world was made, and the way back there. */
async function keepMarks() {
  await db().execute(sql`CREATE TABLE public.marks AS SELECT room_id, user_id, read_seq FROM rooms.members`);
  return async () => {
    await db().execute(sql`
      UPDATE rooms.members m SET read_seq = k.read_seq FROM public.marks k
      WHERE k.room_id = m.room_id AND k.user_id = m.user_id AND k.read_seq <> m.read_seq`);
  };
}

/** Waits for the mails that were asked for: only then does the log tell of them, and nobody knows between which other entries. */
async function mailed(): Promise<void> {
  for (;;) {
    const [left] = await db().execute<{ queued: number }>(
      sql`SELECT count(*)::int AS queued FROM mailer.messages WHERE state = 'queued'`,
    );
    if (left?.queued === 0) return;
    await Bun.sleep(50);
  }
}

/** More in somebody's log than a page of it shows. */
async function busy(who: Client): Promise<void> {
  for (const name of ["Standoff 2 бүртгэл", "Discord Nitro, 12 сар"]) {
    const { id } = await openRoom(who, name);
    expectStatus(await who.post(`/api/chat/rooms/${id}/invite`), 200);
    for (const content of ["Урилгаа илгээлээ.", "Үнийг ярилцаж болно."]) {
      expectStatus(await who.post(`/api/chat/rooms/${id}/messages`, { content }), 200, 201);
    }
  }
}

const bare = (id: number) => ({ id, trade: 0, invoice: "", code: "" });

async function openRoom(by: Client, name: string): Promise<Body> {
  const room = { name, description: "Имэйлтэй нь хамт өгнө, шалгаад аваарай." };
  return expectStatus(await by.post("/api/chat/rooms", room), 200, 201).body;
}

async function pair({ seller, buyer }: World["people"], name: string): Promise<number> {
  const { id } = await openRoom(seller, name);
  const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${id}/invite`), 200).body;
  expectStatus(await buyer.post("/api/chat/join", { code: inviteCode }), 200);
  const say = async (who: Client, content: string) =>
    expectStatus(await who.post(`/api/chat/rooms/${id}/messages`, { content }), 200, 201);
  await say(seller, "Сайн байна уу? Хоёр жил тоглосон, бүх дүр нь нээлттэй.");
  await say(buyer, "Сайн байна уу. Үнэ тохирлоо, төлбөрийн хүсэлтээ үүсгээрэй.");
  return id;
}

async function deal(people: World["people"], state: keyof typeof steps) {
  const { seller, buyer, admin } = people;
  const roomId = await pair(people, goods[state]);
  const asked = { chatRoomId: roomId, amount: amounts[state], description: goods[state] };
  const { id, transactionCode } = expectStatus(await seller.post("/api/transactions", asked), 201).body;
  const at = `/api/transactions/${id}`;
  for (const step of steps[state]) await (step as Step)({ seller, buyer, admin, at, id });
  const live = state === "waiting" ? expectStatus(await buyer.post(`${at}/payment`), 200).body.invoiceId : "";
  return { id: roomId, trade: id, invoice: live, code: String(transactionCode) };
}
