import { expect, test } from "bun:test";
import { sendMessage } from "#modules/rooms";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantTrade, plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { readTranscript } from "./transcript.ts";

useDatabase();

test("a reply in the transcript shows whom and what it quotes", async () => {
  const { id, roomId, buyer, seller } = await plantTrade();
  const admin = await plantUser({ isAdmin: true });
  const say = async (who: typeof buyer, content: string, replyTo?: number) => {
    const said = await sendMessage(who, roomId, { content, clientId: crypto.randomUUID(), replyTo });
    if (!said.ok) throw new Error(said.code);
    return said.message.seq;
  };
  const asked = await say(buyer, "Is the email included?");
  const answer = await say(seller, "Yes", asked);
  const read = await readTranscript(admin, id);
  const messages = read.ok ? read.transcript.messages : [];
  const by = messages.find(({ seq }) => seq === asked)?.from?.displayName ?? "";
  expect(messages.find(({ seq }) => seq === answer)?.quote).toEqual({
    seq: asked,
    by,
    text: "Is the email included?",
  });
  expect(messages.find(({ seq }) => seq === asked)?.quote).toBeUndefined();
});
