import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { Operation } from "../../../app/server/openapi/operation.ts";
import type { JsonSchema } from "../../../app/server/openapi/schemas.ts";

/**
 * What fits a schema of the API's document, by its field's name where a schema cannot say all that is checked (a telephone, an
 * account). Fields that may be left out are left out unless `whole`.
 */
export function sampleOf(schema: JsonSchema, document: OpenApiDocument, whole = false, name = ""): unknown {
  if (name in fieldSamples) return fieldSamples[name];
  const id = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""))?.[1];
  if (id !== undefined) return sampleOf(document.components.schemas[id] ?? {}, document, whole, name);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = (schema.oneOf ?? schema.anyOf ?? []) as JsonSchema[];
  if (choice !== undefined) return sampleOf(choice, document, whole, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") return objectOf(schema, document, whole);
  if (type === "array") return [];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return Number(schema.minimum ?? 1);
  return "text".padEnd(Number(schema.minLength ?? 0), "x");
}

function objectOf(schema: JsonSchema, document: OpenApiDocument, whole: boolean): Record<string, unknown> {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(
    properties
      .filter(([name]) => whole || required.includes(name))
      .map(([name, part]) => [name, sampleOf(part, document, whole, name)]),
  );
}

/** The body that an operation takes; undefined for one that takes none. */
export function bodyFor({ requestBody }: Operation, document: OpenApiDocument, whole = false): unknown {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return undefined;
  const body = sampleOf(schema, document, whole);
  return isEmpty(body) && !whole ? sampleOf(schema, document, true) : body;
}

const isEmpty = (body: unknown) =>
  typeof body === "object" && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

/** What each field takes that a schema alone does not tell. */
const fieldSamples: Record<string, unknown> = {
  accountName: "Bat Erdene",
  accountNumber: "5012345678",
  agreesTo: "2026-01-05T06:00:00.000Z",
  amount: 50_000,
  avatarInitials: "BE",
  bankAccount: "5012345678",
  bankName: "Khan Bank",
  bankReference: "SLIP-1",
  clientId: "9b2f5f0e-58a1-4c50-9f0e-3a4c5d6e7f80",
  code: "123456",
  confirmation: "nobody",
  content: "Hello",
  currentPassword: "not the password",
  customizations: { fontSize: 13 },
  day: "2026-01-05",
  destinationDigest: "x",
  displayName: "Bat Erdene",
  email: "bat@example.mn",
  endpoint: "https://fcm.googleapis.com/fcm/send/x",
  from: 1,
  fromDate: "2026-01-05",
  ibanNumber: "",
  imageData: "data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=",
  keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
  language: "en",
  message: "Where is the payment?",
  newPassword: "a new long password",
  openedAt: "2026-01-05T06:00:00.000Z",
  endsDispute: "2026-01-05T06:00:00.000Z",
  password: "not the password",
  phoneNumber: "99112233",
  quietFrom: "23:00",
  quietTo: "07:00",
  refundAmount: undefined,
  requestedAt: "2026-01-05T06:00:00.000Z",
  serviceFee: undefined,
  sum: 1,
  templateType: "welcome",
  testEmail: "a@example.mn",
  toDate: "2026-01-06",
  token: "x".repeat(43),
  until: "2026-01-05",
  username: "nobody_at_all",
  website: "",
};
