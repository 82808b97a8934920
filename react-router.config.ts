import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // The gate has refused what comes from another site (app/server/listener/request-gate.ts). The router's own comparison reads the request's
  // address, whose scheme behind a proxy that ends TLS is never the page's: it would refuse every form.
  allowedActionOrigins: ["**"],
} satisfies Config;
