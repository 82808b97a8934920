import { type Breach, breach } from "./breach.ts";

export const breaches: readonly Breach[] = [
  breach(
    "9.2.4",
    "a token is for another service",
    "modules/mailer/lib/push/hand-to-service.ts",
    "const subscription = { endpoint, keys: { p256dh, auth } };",
    'const subscription = { endpoint: endpoint && "https://push.example/x", keys: { p256dh, auth } };',
  ),
];
