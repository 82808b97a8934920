import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { Client, Reply } from "../server/http-client.ts";
import { expectStatus } from "./registered-people.ts";

/** A passkey as an authenticator holds it. */
export type HeldPasskey = { id: string; key: KeyObject; userHandle: string; rpId: string };

/** What a lying or broken client says in place of the truth. */
export type Lies = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** The person was not verified, or not even there. */
  verified?: false;
  present?: false;
  counter?: number;
  userHandle?: string;
  /** The credential it says it used. */
  id?: string;
  /** Another key signs. */
  key?: KeyObject;
};

type Creation = {
  challenge: string;
  rp: { id: string };
  user: { id: string };
  excludeCredentials: Array<{ id: string }>;
};
type Request = { challenge: string; rpId: string; allowCredentials?: Array<{ id: string }> };

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();

/** The head of a CBOR item: its major type, and a number. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborBytes = (bytes: Uint8Array) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborNumber = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));

/** A public key as COSE writes it: EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const pairs: Array<[number, Buffer]> = [
    [1, cborNumber(2)],
    [3, cborNumber(-7)],
    [-1, cborNumber(1)],
    [-2, cborBytes(Buffer.from(x, "base64url"))],
    [-3, cborBytes(Buffer.from(y, "base64url"))],
  ];
  return Buffer.concat([
    cborHead(5, pairs.length),
    ...pairs.flatMap(([name, value]) => [cborNumber(name), value]),
  ]);
}

/**
 * An authenticator in software, with the browser before it: real keys and real signatures, and every lie a client could tell. It counts
 * its signatures where told, as a security key does; synced passkeys do not.
 */
export function createAuthenticator(origin: string, { counts = false } = {}) {
  const held: HeldPasskey[] = [];
  let counter = 0;

  function clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
    };
    return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }));
  }

  function authData(rpId: string, lies: Lies, attested: Uint8Array = Buffer.alloc(0)): Buffer {
    if (counts) counter += 1;
    const flags =
      (lies.present === false ? 0 : 1) | (lies.verified === false ? 0 : 4) | (attested.length > 0 ? 64 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), count, attested]);
  }

  /** What `navigator.credentials.create` answers. */
  function create(options: Creation, lies: Lies = {}) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = lies.id ?? base64url(randomBytes(16));
    const raw = Buffer.from(id, "base64url");
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, raw.length]), raw, coseKey(publicKey)]);
    const attestationObject = Buffer.concat([
      cborHead(5, 3),
      ...[cborText("fmt"), cborText("none"), cborText("attStmt"), cborHead(5, 0)],
      ...[cborText("authData"), cborBytes(authData(options.rp.id, lies, attested))],
    ]);
    held.push({ id, key: privateKey, userHandle: options.user.id, rpId: options.rp.id });
    const clientDataJSON = base64url(clientData("webauthn.create", options.challenge, lies));
    const response = {
      clientDataJSON,
      attestationObject: base64url(attestationObject),
      transports: ["internal"],
    };
    return { id, rawId: id, type: "public-key" as const, response, clientExtensionResults: {} };
  }

  /** What `navigator.credentials.get` answers, with one passkey or the last one made. */
  function get(options: Request, lies: Lies = {}, passkey = held.at(-1)) {
    if (passkey === undefined) throw new Error("the authenticator holds no passkey");
    const data = authData(options.rpId, lies);
    const client = clientData("webauthn.get", options.challenge, lies);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), lies.key ?? passkey.key);
    const id = lies.id ?? passkey.id;
    const response = {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      userHandle: lies.userHandle ?? passkey.userHandle,
    };
    return { id, rawId: id, type: "public-key" as const, response, clientExtensionResults: {} };
  }

  return { held, create, get };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

export const passkeysPath = "/api/users/me/passkeys";

const optionsIn = <Options>(reply: Reply) => expectStatus(reply, 200).body.options as Options;

/** Asks for a new passkey, and what the authenticator makes of it. */
export async function createCredential(who: Client, device: Authenticator, lies: Lies = {}) {
  return device.create(optionsIn<Creation>(await who.post(`${passkeysPath}/options`)), lies);
}

/** Adds a passkey to somebody's account. */
export async function addPasskey(who: Client, device: Authenticator, name?: string): Promise<number> {
  const credential = await createCredential(who, device);
  const { body } = expectStatus(
    await who.post(passkeysPath, { credential, ...(name !== undefined && { name }) }),
    200,
  );
  return (body.passkey as { id: number }).id;
}

/** Asks to sign in, and what the authenticator answers. */
export async function signForLogin(who: Client, device: Authenticator, lies: Lies = {}, door = "login") {
  return device.get(optionsIn<Request>(await who.post("/api/auth/passkey/options", { door })), lies);
}

/** Signs in with the authenticator's last passkey. */
export async function enterWithPasskey(who: Client, device: Authenticator, lies: Lies = {}, door = "login") {
  return who.post("/api/auth/passkey", { credential: await signForLogin(who, device, lies, door) });
}

/** Asks to prove oneself again, and what the authenticator answers. */
export async function signForConfirmation(who: Client, device: Authenticator, lies: Lies = {}) {
  return device.get(optionsIn<Request>(await who.post("/api/auth/confirm-passkey/options")), lies);
}
