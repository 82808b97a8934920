import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { translateText } from "../../locales/index.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { bankInfo, openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** The desk's page of a dispute and its calls, without scripts, and what the sides see of it. */

let server: Server;
let admin: Client;
let second: Person;
let deal: ServerTrade;
let page: string;
let jpeg: Buffer;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  [admin, second, deal] = await Promise.all([
    signInAdministrator(server),
    registerPerson(server, "Second Desk"),
    openPaidTrade(server),
  ]);
  await grant(second, true);
  expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200);
  jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#357" } })
    .jpeg()
    .toBuffer();
  const imageData = `data:image/jpeg;base64,${jpeg.toString("base64")}`;
  expectStatus(await deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData }), 201);
  const reason = "<b>The password</b> is wrong";
  expectStatus(await postForm(deal.buyer, paths.room(deal.roomId), { form: "dispute", reason }), 303);
  page = paths.adminDispute(deal.id);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

async function grant({ id }: Person, isAdmin: boolean): Promise<void> {
  await setRight(id, isAdmin);
}

async function imagePath(): Promise<string> {
  const [image] = await db().execute<{ id: string }>(sql`SELECT id FROM rooms.images`);
  return paths.adminDisputePicture(deal.id, image?.id ?? "");
}

const times = async (action: string) => {
  const rows = await db().execute(sql`SELECT id FROM audit.entries WHERE action = ${action}`);
  return rows.length;
};

describe("someone who is not an administrator", () => {
  test("sees no page, picture or archive, even if they were one, and leaves no log entry", async () => {
    const demoted = await registerPerson(server);
    await grant(demoted, true);
    expectStatus(await demoted.get(page), 200);
    await grant(demoted, false);
    const taken = await times("transaction.take_evidence");
    for (const who of [server.client(), deal.buyer, demoted]) {
      for (const path of [
        page,
        `${page}?ruling=release`,
        paths.adminDisputeEvidence(deal.id),
        await imagePath(),
      ]) {
        const reply = await who.get(path);
        expect([path, reply.status]).toEqual([path, 303]);
        expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
        expect(reply.text).toBe("");
      }
      for (const form of ["take", "give-back", "mediate", "rule"]) {
        const fields = { form, words: "x", ruling: "refund", reason: "x", sum: "110000" };
        const reply = await postForm(who, page, fields);
        expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
      }
      const reply = await postForm(who, paths.adminDisputeEvidence(deal.id));
      expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
    }
    expect(await times("transaction.take_dispute")).toBe(0);
    expect(await times("transaction.take_evidence")).toBe(taken);
  });
});

describe("the back office's page of a dispute", () => {
  test("shows the statements and when it is decided, and is linked from the queue and the transaction", async () => {
    const { text } = expectStatus(await admin.get(page), 200);
    expect(visibleText(text)).toContain("<b>The password</b> is wrong");
    expect(text).toContain('data-clock="dispute_statements"');
    expect(text).toContain('data-clock="dispute_ruling"');
    expect(visibleText(text)).toContain("No mediator is handling this case yet.");
    expect(visibleText(expectStatus(await admin.get(paths.admin), 200).text)).toContain(
      "No mediator is handling this case yet.",
    );
    for (const from of [paths.admin, paths.adminTransaction(deal.id)]) {
      expect(expectStatus(await admin.get(from), 200).text).toContain(`href="${page}"`);
    }
    expectStatus(await admin.get(paths.adminDispute(999_999)), 404);
    expectStatus(await admin.get("/admin/disputes/abc"), 404);
  });

  test("is taken by a button; another administrator sees who has it, and both sides are notified", async () => {
    expect(await readToastAfter(admin, await postForm(admin, page, { form: "take" }))).toEqual([
      page,
      "You're now handling the case. We've let both parties know.",
    ]);
    const [to, told] = await readToastAfter(second, await postForm(second, page, { form: "take" }));
    expect(to).toBe(page);
    expect(told).toMatch(/ is handling this case$/);
    for (const [language, mediator] of [
      ["mn", "зуучлагч: admin"],
      ["en", "mediator: admin"],
    ] as const) {
      expect(
        visibleText(expectStatus(await second.get(`${paths.admin}?lang=${language}`), 200).text),
      ).toContain(mediator);
    }
    const others = expectStatus(await second.get(page), 200).text;
    expect(others).not.toContain('value="mediate"');
    expect(others).not.toContain('name="refund"');
    for (const side of [deal.buyer, deal.seller]) {
      const room = visibleText(expectStatus(await side.get(paths.room(deal.roomId)), 200).text);
      expect(room).toContain("from Midman's dispute team is handling the case.");
      expect(room).toContain("<b>The password</b> is wrong");
    }
  });

  test("lets its mediator write in the room, as a notice and never as a member's message", async () => {
    const empty = await postForm(admin, page, { form: "mediate", words: " " });
    expect([empty.status, errorOf(empty, "mediate-words")]).toEqual([422, "Write something first"]);
    const words = "Please show <i>the login page</i>";
    expect(await readToastAfter(admin, await postForm(admin, page, { form: "mediate", words }))).toEqual([
      page,
      "Both parties can read it",
    ]);
    const { text } = expectStatus(await deal.seller.get(paths.room(deal.roomId)), 200);
    expect(text).toMatch(/data-notice="mediatorSays"[\s\S]*?&lt;i&gt;the login page&lt;\/i&gt;/);
    const [last] = expectStatus(
      await deal.seller.get(`/api/chat/rooms/${deal.roomId}/messages`),
      200,
    ).list.slice(-1);
    expect(last).toMatchObject({ type: "system", senderId: null });
    const forged = await deal.seller.post(`/api/chat/rooms/${deal.roomId}/messages`, {
      content: words,
      type: "system",
    });
    expect(forged.status).toBe(422);
  });

  test("shows what each side gets, asks for the amount, and moves no money if the typed amount differs", async () => {
    const split = `${page}?ruling=split&refund=33,333`;
    const sums = visibleText(expectStatus(await admin.get(split), 200).text);
    for (const part of ["33,333 ₮", "66,667 ₮", "10,000 ₮", "Type the amount for the buyer: 33,333 ₮"]) {
      expect(sums).toContain(part);
    }
    const without = expectStatus(await admin.get(`${page}?ruling=split&refund=100,000`), 200);
    expect(errorOf(without, "choose-refund")).toBe(
      "The refund must be at least 1 ₮ and leave at least 1 ₮ for the seller",
    );
    const unread = expectStatus(await admin.get(`${page}?ruling=split&refund=1,5`), 200);
    expect(errorOf(unread, "choose-refund")).toBe("Enter the amount in whole tugrik, for example 150,000");
    expectStatus(await admin.get(`${page}?ruling=nonsense&refund=%00`), 200);
    const fields = { form: "rule", ruling: "split", refundAmount: "33333", reason: "Half of it worked" };
    const unsure = await postForm(admin, split, { ...fields, sum: "33,333" });
    expect([unsure.status, errorOf(unsure, "rule")]).toEqual([
      409,
      translateText("en", "errors.RULING_WARNED"),
    ]);
    expect(unsure.text).toContain('data-ruling-warning="statements_open"');
    expect(unsure.text).toContain("Half of it worked");
    const wrong = await postForm(admin, split, { ...fields, sum: "33,334" });
    expect([wrong.status, errorOf(wrong, "rule")]).toEqual([
      422,
      "The amount is 33,333 ₮. Type exactly that to confirm.",
    ]);
    expect(wrong.text).toContain("Half of it worked");
    const lost = await postForm(second, split, { ...fields, sum: "33,333", warningsConfirmed: "on" });
    expect((await readToastAfter(second, lost))[1]).toMatch(/ is handling this case$/);
    expect(expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200).body.status).toBe(
      "disputed",
    );
  });

  test("serves the evidence as a signed archive, and the picture, each logged", async () => {
    const at = paths.adminDisputeEvidence(deal.id);
    const [took, read] = [await times("transaction.take_evidence"), await times("transcript_read")];
    const reply = await fetch(`${server.url}${at}`, { method: "POST", headers: { Cookie: admin.cookies() } });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/x-tar"]);
    expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename="evidence-MM-\w+\.tar"$/);
    expect(reply.headers.get("cache-control")).toBe("no-store");
    const files = await new Bun.Archive(new Uint8Array(await reply.arrayBuffer())).files();
    const part = async (name: string) => Buffer.from((await files.get(name)?.text()) ?? "");
    const key = expectStatus(await server.client().get("/api/evidence-key"), 200).text;
    const signature = Buffer.from((await part("manifest.sig")).toString(), "base64");
    expect(verify(null, await part("manifest.json"), createPublicKey(key), signature)).toBe(true);
    expect(await times("transaction.take_evidence")).toBe(took + 1);
    const picture = expectStatus(await admin.get(await imagePath()), 200);
    expect(picture.headers.get("content-type")).toBe("image/webp");
    const ahead = await admin.send("GET", await imagePath(), undefined, { "Sec-Purpose": "prefetch" });
    expect(ahead.status).toBe(503);
    const foreign = await admin.send("GET", await imagePath(), undefined, { "Sec-Fetch-Site": "cross-site" });
    expect([foreign.status, foreign.headers.get("location")]).toEqual([303, page]);
    expect(await times("transcript_read")).toBe(read + 1);
    expect(expectStatus(await admin.get(at), 303).headers.get("location")).toBe(page);
    expectStatus(await admin.get(paths.adminDisputePicture(deal.id, "x")), 404);
  });

  test("asks for a fresh login before money moves, and keeps what was typed", async () => {
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'`);
    const split = `${page}?ruling=split&refund=33333`;
    const ruling = { form: "rule", ruling: "split", refundAmount: "33333", reason: "Half", sum: "33333" };
    const fields = { ...ruling, warningsConfirmed: "on" };
    const reply = await postForm(admin, split, fields);
    expect([reply.status, errorOf(reply, "rule")]).toEqual([
      403,
      translateText("en", "errors.REAUTH_REQUIRED"),
    ]);
    expect(reply.text).toContain(`href="${paths.adminLogin}" target="_blank"`);
    expect(reply.text).toMatch(/>Half<\/textarea>/);
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now()`);
    expect(await readToastAfter(admin, await postForm(admin, split, fields))).toEqual([
      page,
      "The ruling was recorded",
    ]);
    const ruled = visibleText(expectStatus(await admin.get(page), 200).text);
    expect(ruled).toContain("The money was split (33,333 ₮ to the buyer)");
    expect(ruled).not.toContain("Show what each side gets");
    const whose = "ruled this dispute. Only they can cancel the transaction.";
    const pageFor = async (who: Client) =>
      visibleText(expectStatus(await who.get(paths.adminTransaction(deal.id)), 200).text).replaceAll(
        /\s+/g,
        " ",
      );
    expect(await pageFor(second)).toContain(whose);
    expect(await pageFor(admin)).not.toContain(whose);
    for (const side of [deal.buyer, deal.seller]) {
      const { text } = expectStatus(await side.get(paths.room(deal.roomId)), 200);
      const room = visibleText(text).replaceAll(/\s+/g, " ");
      expect(room).toContain(
        "The dispute team split the money: 33,333 ₮ to the buyer, 66,667 ₮ to the seller.",
      );
      expect(room).toContain("Half");
    }
  });

  test("lets an administrator read a dispute of their own trade, and do nothing in it", async () => {
    const own = await openPaidTrade(server);
    await grant(own.seller, true);
    expectStatus(
      await own.buyer.post(`/api/transactions/${own.id}/dispute`, { reason: "It does not work" }),
      200,
    );
    const at = paths.adminDispute(own.id);
    const { text } = expectStatus(await own.seller.get(`${at}?ruling=release`), 200);
    expect(visibleText(text)).toContain(
      "You can't act on your own transaction as an administrator. Another one must do it.",
    );
    for (const form of ["take", "rule", "mediate", "give-back"]) {
      expect(text).not.toContain(`value="${form}"`);
      const fields = { form, ruling: "release", reason: "x", sum: "100000", words: "x" };
      const reply = await postForm(own.seller, at, fields);
      if (reply.status !== 303) expect([form, reply.status]).toEqual([form, 403]);
    }
    await readToastAfter(own.seller, await postForm(own.seller, paths.adminDisputeEvidence(own.id)));
    const imageData = `data:image/jpeg;base64,${jpeg.toString("base64")}`;
    expectStatus(await own.buyer.post(`/api/chat/rooms/${own.roomId}/images`, { imageData }), 201);
    const [image] = await db().execute<{ id: string }>(sql`
      SELECT i.id FROM rooms.images i JOIN rooms.messages m ON m.id = i.message_id WHERE m.room_id = ${own.roomId}`);
    const picture = paths.adminDisputePicture(own.id, image?.id ?? "");
    expect(expectStatus(await own.seller.get(at), 200).text).not.toContain(picture);
    expect(await readToastAfter(own.seller, await own.seller.get(picture))).toEqual([
      at,
      "You can't act on your own transaction as an administrator. Another one must do it.",
    ]);
    expect(expectStatus(await own.buyer.get(`/api/transactions/${own.id}`), 200).body.status).toBe(
      "disputed",
    );
    const [took] = await db().execute(sql`SELECT taken_by FROM escrow.disputes WHERE trade_id = ${own.id}`);
    expect(took).toEqual({ taken_by: null });
  });
});
