import { type Breach, breach } from "./breach.ts";

export const breaches: readonly Breach[] = [
  breach(
    "9.2.4",
    "a token is for another service too",
    "modules/mailer/lib/push/hand.ts",
    "    return { headers: headersOf(headers),",
    '    const other = webpush.generateRequestDetails({ ...subscription, endpoint: "https://push.example/x" }, "x", options);\n    headers.Authorization = other.headers.Authorization;\n    return { headers: headersOf(headers),',
  ),
];
