import { type FillContext, inParts } from "./fill-context.ts";

/** The number of messages in one room. */
const messagesPerRoom = 10;

const messageTexts = [
  "Сайн байна уу, данс байгаа юу?",
  "Yes, everything is as described.",
  "Төлбөрөө хийлээ, шалгаарай.",
  "The QR code works, thank you.",
  "Нууц үгийг сольж болно.",
  "И-мэйл хаяг нь хамт явна.",
  "I am in, changing the password now.",
];

/** Creates a room of two for each trade, with its conversation, and two emails to each party. */
export async function fillRooms({ sql, sizes }: FillContext): Promise<void> {
  await inParts(sql, sizes.transactions, 10_000, async (tx, from, to) => {
    await tx`
      INSERT INTO rooms.rooms (id, name, created_by_id, created_at) OVERRIDING SYSTEM VALUE
      SELECT room_id, 'Арилжаа ' || id, seller_id, created FROM seed_trades WHERE n BETWEEN ${from} AND ${to}`;
    await tx`
      INSERT INTO rooms.counters (room_id, last_seq, active_at)
      SELECT room_id, ${messagesPerRoom}, both_at FROM seed_trades WHERE n BETWEEN ${from} AND ${to}`;
    await tx`
      INSERT INTO rooms.members (room_id, user_id, role, joined_at, read_seq)
      SELECT room_id, who, role, created, ${messagesPerRoom}
      FROM seed_trades, LATERAL (VALUES (buyer_id, 'buyer'), (seller_id, 'seller')) AS seat (who, role)
      WHERE n BETWEEN ${from} AND ${to}`;
    await tx`
      INSERT INTO rooms.activity (room_id, user_id, at)
      SELECT room_id, who, both_at FROM seed_trades, LATERAL (VALUES (buyer_id), (seller_id)) AS seat (who)
      WHERE n BETWEEN ${from} AND ${to}`;
    await tx`
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
      SELECT room_id, seq, CASE WHEN seq % 3 = 0 THEN seller_id ELSE buyer_id END, gen_random_uuid(), 'text',
        (${messageTexts}::text[])[1 + (n + seq) % ${messageTexts.length}::int], created + (both_at - created) * seq / ${messagesPerRoom + 1}
      FROM seed_trades, generate_series(1, ${messagesPerRoom}::int) AS seq WHERE n BETWEEN ${from} AND ${to}`;
    await tx`
      INSERT INTO mailer.messages (message_id, template, language, recipient, user_id, data, state, attempts, created_at, ended_at)
      SELECT '<seed.' || id || '.' || who || '@midman.example>', 'welcome', 'mn', 'person' || who || '@midman.example', who, '{}',
        CASE WHEN n % 5000 = 0 THEN 'failed' ELSE 'sent' END, 1, created, created + interval '1 minute'
      FROM seed_trades, LATERAL (VALUES (buyer_id), (seller_id)) AS seat (who) WHERE n BETWEEN ${from} AND ${to}`;
  });
}
