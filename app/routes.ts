import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/landing.tsx"),
  route("preferences", "routes/preferences.ts"),
  route("logout", "routes/logout.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
