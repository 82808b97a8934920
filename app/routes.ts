import { type RouteConfig, route } from "@react-router/dev/routes";

export default [
  // Not an index route: a form posted to "/" would then reach the root instead of the page.
  route("/", "routes/landing.tsx"),
  route("preferences", "routes/preferences.ts"),
  route("logout", "routes/logout.ts"),
  route("reset-password", "routes/reset-password.tsx"),
  route("change-password", "routes/change-password.tsx"),
  route("verify-email", "routes/verify-email.ts"),
  route("chat", "routes/chat.tsx"),
  route("chat/:id", "routes/room.tsx"),
  route("chat/:id/panel", "routes/room-panel.tsx"),
  route("admin/login", "routes/admin-login.tsx"),
  route("admin", "routes/admin.tsx"),
  route("admin/transactions/:id", "routes/admin-transaction.tsx"),
  route("terms-of-service", "routes/terms-of-service.tsx"),
  route("privacy-policy", "routes/privacy-policy.tsx"),
  route("security-guide", "routes/security-guide.tsx"),
  route("faq", "routes/faq.tsx"),
  route("sandbox/mail", "routes/sandbox-mail.tsx"),
  route("sandbox/mail/:id", "routes/sandbox-mail-item.tsx"),
  route("sandbox/qpay/pay/:invoiceId", "routes/sandbox-pay.tsx"),
  route("sandbox/qpay/pay/:invoiceId/press", "routes/sandbox-pay.tsx", { id: "sandbox-pay-press" }),
  route("design", "routes/design.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
