import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from "node:crypto";

/** What one push brought, decrypted as the browser would. */
export type ArrivedPush = { content: Record<string, unknown>; headers: Headers; device: string };

/** A push service on loopback with browsers of its own: it proves our signature and decrypts what it gets (RFC 8188, 8291, 8292). */
export type PushService = {
  /** What PUSH_HOSTS has to name. */
  host: string;
  arrived: ArrivedPush[];
  /** What it answers to the next pushes, in turn; 201 once there are none left. */
  answers: Array<number | Response>;
  /** A browser's subscription, as `PushSubscription.toJSON()` gives it. */
  browser(name?: string): { endpoint: string; keys: { p256dh: string; auth: string } };
  /** How many knocked, whether they were let in or not. */
  knocks(): number;
  stop(): void;
};

type Browser = { ecdh: ECDH; auth: Buffer };

/** Starts one. */
export function startPushService(): PushService {
  const browsers = new Map<string, Browser>();
  const arrived: ArrivedPush[] = [];
  const answers: Array<number | Response> = [];
  let knocks = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      knocks += 1;
      const device = new URL(request.url).pathname.slice(1);
      const browser = browsers.get(device);
      const answer = answers.shift();
      if (answer instanceof Response) return answer;
      if (answer !== undefined && answer >= 300) return new Response("not now", { status: answer });
      if (browser === undefined) return new Response(null, { status: 404 });
      if (!isSigned(request)) return new Response("who are you?", { status: 403 });
      const body = Buffer.from(await request.arrayBuffer());
      arrived.push({ content: JSON.parse(decryptPush(body, browser)), headers: request.headers, device });
      return new Response(null, { status: 201 });
    },
  });
  return {
    host: `127.0.0.1:${server.port}`,
    arrived,
    answers,
    knocks: () => knocks,
    browser(name = crypto.randomUUID()) {
      const ecdh = createECDH("prime256v1");
      ecdh.generateKeys();
      const auth = randomBytes(16);
      browsers.set(name, { ecdh, auth });
      const keys = { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") };
      return { endpoint: `http://127.0.0.1:${server.port}/${name}`, keys };
    },
    stop: () => void server.stop(true),
  };
}

/** RFC 8292: a token of ours for this very service, signed by the key it names. */
function isSigned(request: Request): boolean {
  const [, token = "", key = ""] =
    /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString() || "{}");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const proof = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const soon = Date.now() / 1000;
  return (
    proof &&
    aud === new URL(request.url).origin &&
    exp > soon &&
    exp < soon + 86_401 &&
    /^(mailto|https):/.test(sub)
  );
}

/** RFC 8291 and 8188 by hand: one record, its keys from both sides' and the browser's secret. */
function decryptPush(body: Buffer, { ecdh, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const length = body[20] ?? 0;
  const sender = body.subarray(21, 21 + length);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = deriveBytes(auth, ecdh.computeSecret(sender), info, 32);
  const key = deriveBytes(salt, secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = deriveBytes(salt, secret, Buffer.from("Content-Encoding: nonce\0"), 12);
  const record = body.subarray(21 + length);
  const cipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

/** HKDF (RFC 5869) for at most 32 bytes. */
function deriveBytes(salt: Buffer, secret: Buffer, info: Buffer, bytes: number): Buffer {
  const seed = createHmac("sha256", salt).update(secret).digest();
  return createHmac("sha256", seed)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
    .subarray(0, bytes);
}
