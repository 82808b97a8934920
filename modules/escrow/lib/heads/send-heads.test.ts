import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { verify as verifySignature } from "node:crypto";
import { sql } from "drizzle-orm";
import { config, overrideConfig, readConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import {
  anchorHead,
  readAnchorStatus,
  recordAuditEntry,
  sealBlocks,
  signedHead,
  verifyChain,
} from "#modules/audit";
import { stopMailer } from "#modules/mailer";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { startMailServer } from "../../../../tests/support/services/mail-server.ts";
import { startS3 } from "../../../../tests/support/services/s3.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { notifyMissingChecks } from "../backoffice/treasury/alarm-mails.ts";
import { findAlarms } from "../backoffice/treasury/alarms.ts";
import "./send-heads.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";

useDatabase();
const before = config();
const start = Date.now();
const minutes = (count: number) => new Date(start + count * 60_000);

afterEach(async () => {
  const bucket = { S3_ENDPOINT: undefined, S3_BUCKET: undefined, S3_REGION: undefined };
  const keys = { S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined };
  overrideConfig({ ...bucket, ...keys, AUDIT_ANCHOR: undefined, ...before });
  await db().execute(sql`DELETE FROM audit.anchor_failures`);
});
afterAll(stopMailer);

/** Adds one block to the log. */
async function move(): Promise<void> {
  await runInTransaction((tx) =>
    recordAuditEntry(tx, { by: { userId: 1 }, action: "payout.sent", at: new Date(), data: { amount: 1 } }),
  );
  // Sealing waits for the end of running transactions, and autovacuum may have one open.
  await waitUntil(async () => (await sealBlocks(new Date())).sealed > 0);
}
beforeEach(move);

const sentTo = async () =>
  [
    ...(await db().execute<{ place: string; block: number }>(
      sql`SELECT split_part(sent_to, ':', 1) AS place, block::int FROM audit.heads WHERE sent_to IS NOT NULL ORDER BY id`,
    )),
  ].map(({ place, block }) => `${place} ${block}`);

/** A server that keeps what is posted to it and answers as `answer` says. */
function listener() {
  const got: Array<Record<string, unknown>> = [];
  const mood: { answer: () => Response | Promise<Response> } = { answer: () => new Response("ok") };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      got.push((await request.json()) as Record<string, unknown>);
      return mood.answer();
    },
  });
  return {
    got,
    mood,
    url: `http://127.0.0.1:${server.port}/heads`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

describe("log heads posted to another server", () => {
  test("contain a line signed by the public key, hourly, and none while the log does not grow", async () => {
    await using there = listener();
    overrideConfig({ AUDIT_ANCHOR: there.url });
    await anchorHead(minutes(0));
    await anchorHead(minutes(10));
    expect(there.got).toHaveLength(1);
    const { statement, signature, publicKey, head, block } = there.got[0] as Record<string, string>;
    expect(statement).toStartWith(`midman-head-1 ${block}:${head} 20`);
    const signed = Buffer.from(signature ?? "", "base64");
    expect(verifySignature(null, Buffer.from(statement ?? ""), publicKey ?? "", signed)).toBe(true);
    await anchorHead(minutes(70));
    expect(there.got).toHaveLength(1);
    await move();
    await anchorHead(minutes(80));
    expect(there.got.map(({ block }) => Number(block))).toEqual([Number(block), Number(block) + 1]);
  });

  for (const [what, answer] of [
    ["fails", () => new Response("no", { status: 503 })],
    ["sends elsewhere", () => Response.redirect("http://127.0.0.1:9/")],
  ] as const) {
    test(`are retried at a server that ${what}; administrators are notified after three hours, and once it accepts one all is well`, async () => {
      await using there = listener();
      overrideConfig({ AUDIT_ANCHOR: there.url });
      there.mood.answer = answer;
      const kept = (await sentTo()).length;
      await anchorHead(minutes(0));
      await anchorHead(minutes(10));
      expect(there.got).toHaveLength(2);
      expect(await sentTo()).toHaveLength(kept);
      expectMatch(await readAnchorStatus(), {
        kind: "post",
        sent: null,
        failing: { since: minutes(0) },
      });
      const late = async (at: Date) => (await findAlarms(at)).filter(({ of }) => of === "anchor");
      expect(await late(minutes(170))).toEqual([]);
      expect(await late(minutes(181))).toEqual([
        { of: "anchor", state: "missing", since: minutes(0).toISOString() },
      ]);
      there.mood.answer = () => new Response(null, { status: 204 });
      await anchorHead(minutes(190));
      expect(await late(minutes(400))).toEqual([]);
      expectMatch(await readAnchorStatus(), { sent: { at: minutes(190) }, failing: null });
    });
  }

  test("cause a mail to administrators once a day", async () => {
    const admin = await plantUser({ isAdmin: true });
    overrideConfig({ AUDIT_ANCHOR: "http://127.0.0.1:9/nobody" });
    await anchorHead(minutes(0));
    await notifyMissingChecks(minutes(181));
    await notifyMissingChecks(minutes(182));
    const mails = await db().execute<{ recipient: string }>(
      sql`SELECT recipient FROM mailer.messages WHERE template = 'anchorAlarm' ORDER BY id`,
    );
    expect([...mails].map(({ recipient }) => recipient)).toEqual([config().MAIL_ADMIN, admin.email]);
  });
});

describe("log heads in a bucket", () => {
  test("are objects of their own under an object lock, in validly signed requests", async () => {
    const bucket = await startS3(true);
    try {
      overrideConfig({ ...bucket.settings, AUDIT_ANCHOR: "s3://pictures/heads/of-midman" });
      await anchorHead(minutes(0));
      expect(await readAnchorStatus()).toMatchObject({ kind: "s3", failing: null });
      const newest = await signedHead();
      const name = `heads/of-midman/${String(newest?.block).padStart(12, "0")}-${newest?.head}.json`;
      const {
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      } = bucket.settings;
      const file = new Bun.S3Client({ endpoint, accessKeyId, secretAccessKey, bucket: "pictures" }).file(
        name,
      );
      expect(await file.json()).toEqual({ format: "midman-head-1", ...newest });
    } finally {
      await bucket.stop();
    }
  });

  test("are checked for the lock, and a bucket that accepts a head without locking it counts as failed", async () => {
    const asked: Headers[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        if (request.method === "PUT") asked.push(request.headers);
        return new Response(request.method === "PUT" ? null : "something else");
      },
    });
    overrideConfig({
      S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      ...{ S3_REGION: "us-east-1", S3_BUCKET: "x", S3_ACCESS_KEY_ID: "x", S3_SECRET_ACCESS_KEY: "y" },
      AUDIT_ANCHOR: "s3://locked",
    });
    await anchorHead(minutes(0));
    expect(asked[0]?.get("x-amz-object-lock-mode")).toBe("COMPLIANCE");
    const until = new Date(asked[0]?.get("x-amz-object-lock-retain-until-date") ?? "");
    expect(until.getTime() - start).toBeGreaterThan(4 * 365 * 86_400_000);
    expect(asked[0]?.get("authorization")).toContain("x-amz-object-lock-mode");
    expect(await readAnchorStatus()).toMatchObject({
      sent: null,
      failing: { reason: "the bucket does not have what it accepted" },
    });
    await server.stop(true);
  });
});

describe("log heads by mail", () => {
  test("are sent to an address hourly; refused mail is retried and then reported", async () => {
    const office = await startMailServer();
    try {
      overrideConfig({ AUDIT_ANCHOR: "mailto:keeper@example.org", SMTP_URL: office.url });
      office.be({ data: 451 });
      await anchorHead(minutes(0));
      await drainJobs(minutes(0));
      expect(await readAnchorStatus()).toMatchObject({ kind: "mail", failing: { reason: null } });
      const late = (at: Date) => findAlarms(at).then((all) => all.filter(({ of }) => of === "anchor").length);
      expect([await late(minutes(60)), await late(minutes(200))]).toEqual([0, 1]);
      office.be({});
      await waitUntil(async () => {
        await drainJobs(minutes(0));
        return (await office.of("keeper@example.org")).length > 0;
      });
      const [mail] = await office.of("keeper@example.org");
      const newest = await db().execute<{ block: string; head: string }>(
        sql`SELECT block, head FROM audit.heads WHERE sent_to LIKE 'mail:%' ORDER BY id DESC LIMIT 1`,
      );
      expect(mail?.text).toContain(`${newest[0]?.block}:${newest[0]?.head}`);
      expect([await late(minutes(200)), (await readAnchorStatus()).failing]).toEqual([0, null]);
    } finally {
      await office.stop();
    }
  });

  test("are not sent while the log is silent, although each mail adds an entry", async () => {
    overrideConfig({ AUDIT_ANCHOR: "mailto:keeper@example.org" });
    const count = async () => (await sentTo()).filter((one) => one.startsWith("mail")).length;
    const had = await count();
    await anchorHead(minutes(1_000));
    await drainJobs(minutes(1_000));
    await sealBlocks(new Date());
    await anchorHead(minutes(2_000));
    expect(await count()).toBe(had + 1);
  });

  test("go to the administrators' address once a day if AUDIT_ANCHOR is unset", async () => {
    await anchorHead(minutes(0));
    await move();
    await anchorHead(minutes(60));
    await anchorHead(minutes(24 * 60));
    const mails = await db().execute<{ recipient: string }>(
      sql`SELECT recipient FROM mailer.messages WHERE template = 'logHead' AND key LIKE '%:desk'`,
    );
    expect([...mails].map(({ recipient }) => recipient)).toEqual([config().MAIL_ADMIN, config().MAIL_ADMIN]);
  });
});

test("a head that was sent and is stored here must be in the chain", async () => {
  await using there = listener();
  overrideConfig({ AUDIT_ANCHOR: there.url });
  await anchorHead(minutes(3_000));
  const { block, head } = there.got[0] as { block: number; head: string };
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.execute(
      sql.raw(
        `UPDATE audit.entries SET data = '{"amount": 2}' WHERE xid >= (SELECT from_xid FROM audit.blocks WHERE n = ${block})`,
      ),
    );
    await tx.execute(sql.raw(`DELETE FROM audit.blocks WHERE n = ${block}`));
  });
  await move();
  expectMatch(await verifyChain(), {
    ok: false,
    block,
    reason: expect.stringContaining("rewritten"),
  });
  expect(await verifyChain({ anchor: { block, head } })).toMatchObject({ ok: false, block });
});

test("AUDIT_ANCHOR is a mail address, https or a bucket, and a bucket needs the S3 settings", () => {
  const read = (AUDIT_ANCHOR: string) => {
    const result = readConfig({ ALLOW_SANDBOX: "true", AUDIT_ANCHOR });
    return result.ok ? [] : result.lines;
  };
  for (const good of ["mailto:a@example.org", "https://example.org/heads?k=1", "http://127.0.0.1:9/x"])
    expect(read(good)).toEqual([]);
  const wrong = "AUDIT_ANCHOR: must be mailto:address, https://… or s3://bucket/prefix";
  for (const bad of [
    "a@example.org",
    "mailto:a",
    "http://example.org",
    "ftp://x",
    "mailto:a@b.mn?bcc=c@d.mn",
  ])
    expect(read(bad)).toEqual([wrong]);
  expect(read("s3://bucket/heads")).toEqual([
    "AUDIT_ANCHOR: names a bucket; set the five S3_ settings, which give its address and keys",
  ]);
});
