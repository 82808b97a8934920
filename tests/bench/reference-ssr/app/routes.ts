import { type RouteConfig, route } from "@react-router/dev/routes";

export default [route("chat/:id", "../../../../app/routes/room/room.tsx")] satisfies RouteConfig;
