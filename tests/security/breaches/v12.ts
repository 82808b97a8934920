// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of the sources, templates among them
import { type Breach, breach } from "./breach.ts";

const wire = "modules/payments/lib/qpay/http-exchange.ts";
/** A client of an older make in place of `fetch`, which would take any version. */
const older = `import { request } from "node:https";
const older = (url: string, init: { method: string; headers: Record<string, string>; body?: string }) =>
  new Promise<Response>((resolve, reject) => {
    const asked = request(url, { method: init.method, headers: init.headers, minVersion: "TLSv1" }, (reply) => {
      reply.resume();
      resolve(new Response("{}", { status: reply.statusCode ?? 500 }));
    });
    asked.on("error", reject);
    asked.end(init.body);
  });
`;

export const breaches: readonly Breach[] = [
  breach(
    "12.1.1",
    "the provider is called by an older TLS",
    wire,
    'import { log } from "#db/log";',
    `import { log } from "#db/log";\n${older}`,
    [
      {
        file: wire,
        find: "const response = await fetch(call.url, {",
        replace: "const response = await older(call.url, {",
      },
    ],
  ),
  breach(
    "12.1.1",
    "mail is handed over by an older TLS",
    "modules/mailer/lib/sending/smtp-server.ts",
    "    pool: true,",
    '    tls: { minVersion: "TLSv1" },\n    pool: true,',
  ),
  breach(
    "12.1.1",
    "the proxy is not told",
    "docs/security/deployment.md",
    "TLS 1.2 and 1.3 only,",
    "any TLS,",
  ),
  breach(
    "12.1.2",
    "the provider is called by an older cipher",
    wire,
    '      redirect: "manual",',
    '      redirect: "manual",\n      tls: { ciphers: "ECDHE-ECDSA-AES128-SHA" },',
  ),
  breach(
    "12.2.1",
    "people may come in the clear",
    "config/missing-settings.ts",
    'else if (\n    urlSchema("http", "https").safeParse(given.PUBLIC_URL).success &&\n    !isSecureUrl(given.PUBLIC_URL)\n  ) {',
    'else if (urlSchema("http", "https").safeParse(given.PUBLIC_URL).success && given.PUBLIC_URL === "") {',
  ),
  breach(
    "12.2.1",
    "the provider may be called in the clear",
    "config.ts",
    "QPAY_BASE_URL: secureUrlSchema.optional(),",
    'QPAY_BASE_URL: urlSchema("http", "https").optional(),',
  ),
  breach(
    "12.2.2",
    "mail is handed to anybody",
    "modules/mailer/lib/sending/smtp-server.ts",
    "    pool: true,",
    "    tls: { rejectUnauthorized: false },\n    pool: true,",
  ),
  breach(
    "12.3.1",
    "mail goes in the clear",
    "modules/mailer/lib/sending/smtp-server.ts",
    "requireTLS: !isLoopback(url),",
    "requireTLS: false,",
  ),
  breach(
    "12.3.1",
    "a database is asked in the clear",
    "db/client.ts",
    "  return postgres(url, { onnotice",
    '  url = url.replace("sslmode=verify-full", "sslmode=disable");\n  return postgres(url, { onnotice',
  ),
  breach(
    "12.3.2",
    "the provider's certificate is not checked",
    wire,
    '      redirect: "manual",',
    '      redirect: "manual",\n      tls: { rejectUnauthorized: false },',
  ),
  breach(
    "12.3.3",
    "pictures may be kept in the clear",
    "config.ts",
    "S3_ENDPOINT: secureUrlSchema.optional(),",
    'S3_ENDPOINT: urlSchema("http", "https").optional(),',
  ),
  breach(
    "12.3.3",
    "heads of the log may be sent in the clear",
    "config.ts",
    "  return secureUrlSchema.safeParse(value).success;\n}\n\nconst settingsSchema",
    '  return urlSchema.protocol.startsWith("http");\n}\n\nconst settingsSchema',
  ),
  breach(
    "12.3.3",
    "pictures are sent in the clear all the same",
    "db/files/s3.ts",
    "const client = new S3Client(bucket);",
    'const client = new S3Client({ ...bucket, endpoint: bucket.endpoint.replace("https:", "http:") });',
  ),
  breach(
    "12.3.4",
    "a Redis of anybody is spoken to",
    "db/bus/redis-connections.ts",
    "createClient({ url, pingInterval, socket: socketOptions, ...options })",
    "createClient({ url, pingInterval, socket: { ...socketOptions, tls: true, rejectUnauthorized: false }, ...options })",
  ),
];
