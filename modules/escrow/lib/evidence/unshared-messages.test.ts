import { expect, test } from "bun:test";
import sharp from "sharp";
import { db } from "#db/client";
import { createRoom, inviteToRoom, joinByCode, leaveRoom, sendImage, sendMessage } from "#modules/rooms";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  expectAccepted,
  type PlantedTrade,
  type PlantedUser,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminDispute } from "../disputes/dispute-view.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { checkPayment } from "../payment/check-payment.ts";
import { issueInvoice } from "../payment/issue-invoice.ts";
import { createTrade } from "../trade/create-trade.ts";
import { bundleEvidence } from "./bundle.ts";
import { evidencePicture } from "./pictures.ts";
import { readTranscript } from "./transcript.ts";

useDatabase();
const { pay } = useSandboxProvider();

async function says(who: PlantedUser, roomId: number, content: string): Promise<void> {
  const said = await sendMessage(who, roomId, { content, clientId: crypto.randomUUID() });
  if (!said.ok) throw new Error(said.code);
}

/** Sends a picture of one colour, and returns its id. */
async function shows(who: PlantedUser, roomId: number, background: string): Promise<string> {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const said = await sendImage(who, roomId, picture.length, async () => ({ ok: true, picture }));
  if (!said.ok) throw new Error(said.code);
  return said.message.imageUrl?.match(/[0-9a-f-]{36}/)?.[0] ?? "";
}

/** A disputed trade in whose room the seller wrote to a third person before the buyer joined, and the pictures sent there. */
async function afterAThird() {
  const [seller, buyer, third, admin] = await Promise.all([
    plantUser({ displayName: "Seller" }),
    plantUser({ displayName: "Buyer" }),
    plantUser({ displayName: "Third" }),
    plantUser({ isAdmin: true }),
  ]);
  const made = await createRoom(seller, { name: "A game account" });
  if (!made.ok) throw new Error(made.code);
  const roomId = made.room.id;
  const join = async (who: PlantedUser) => {
    const invite = await inviteToRoom(seller, roomId);
    if (!invite.ok) throw new Error(invite.code);
    const joined = await joinByCode(who, { code: invite.inviteCode });
    if (!joined.ok) throw new Error(joined.code);
  };
  await join(third);
  await says(third, roomId, "my number is 88001122");
  await says(seller, roomId, "a word to the third alone");
  const before = await shows(third, roomId, "#c22");
  const left = await leaveRoom(third, roomId);
  if (!left.ok) throw new Error(left.code);
  await says(seller, roomId, "is anybody there");
  await join(buyer);
  const { trade } = await expectAccepted(
    createTrade(seller, { chatRoomId: roomId, amount: 100_000, feePayer: "buyer" }),
  );
  await expectAccepted(issueInvoice(buyer, trade.id));
  await pay(trade);
  await expectAccepted(checkPayment(trade.id, "callback"));
  const shown = await shows(buyer, roomId, "#2c2");
  await expectAccepted(openDispute(buyer, trade.id, { reason: "the password is wrong" }));
  const deal: PlantedTrade = { id: trade.id, roomId, seller, buyer, admin };
  return { deal, third, before, shown };
}

test("messages to a former third member before the later one joined are nobody's evidence", async () => {
  const { deal, third, before, shown } = await afterAThird();
  const dispute = await adminDispute(deal.admin, deal.id);
  expect(dispute.ok && dispute.dispute.pictures).toMatchObject([{ id: shown, by: "buyer" }]);
  expect(await evidencePicture(deal.admin, deal.id, before)).toEqual({ ok: false, code: "NOT_FOUND" });
  expect(await evidencePicture(deal.admin, deal.id, shown)).toMatchObject({ ok: true });

  const read = await readTranscript(deal.admin, deal.id);
  const [first, ...rest] = read.ok ? read.transcript.messages : [];
  expect(first).toMatchObject({ text: "is anybody there", from: { role: "seller" } });
  expect(rest[0]?.text).toBe("The buyer joined the chat");
  expect(await readTranscript(deal.admin, deal.id, first?.seq)).toMatchObject({
    transcript: { messages: [], older: null },
  });

  const bundle = await expectAccepted(bundleEvidence(deal.admin, deal.id));
  const files = await new Bun.Archive(bundle.bytes).files();
  expect(await files.get("README.txt")?.text()).toContain("what was said until they left is left out");
  const messages = JSON.parse((await files.get("messages.json")?.text()) ?? "") as Array<{ content: string }>;
  expect(messages.map(({ content }) => content)).toEqual([first, ...rest].map((one) => one?.text ?? ""));
  expect(messages).toContainEqual(expect.objectContaining({ notice: "paymentConfirmed" }));
  const log = JSON.parse((await files.get("audit.json")?.text()) ?? "") as {
    blocks: Array<{ entries: Array<Record<string, string>> }>;
    waiting: Array<Record<string, string>>;
  };
  const entries = log.blocks.flatMap((block) => block.entries).concat(log.waiting);
  const actions = entries.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["room_joined", "image_sent", "transaction.open_dispute"]));
  expect(entries.filter(({ userId }) => userId === String(third.userId))).toEqual([]);
  const all = (await Promise.all([...files.values()].map((file) => file.text()))).join("");
  for (const secret of ["88001122", "a word to the third", before, "Third"])
    expect(all).not.toContain(secret);
}, 60_000);

test("another administrator must look at a picture of one's own trade", async () => {
  const { deal, shown } = await afterAThird();
  const own = { ...deal.seller, isAdmin: true };
  expect(await evidencePicture(own, deal.id, shown)).toMatchObject({ code: "OWN_TRADE" });
  const rows = await db().execute<{ times: string }>(
    `SELECT count(*) AS times FROM audit.entries WHERE action = 'transcript_read' AND subject_id = '${deal.id}'`,
  );
  expect(rows[0]?.times).toBe("0");
}, 60_000);
