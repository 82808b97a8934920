import { startEscrow } from "#modules/escrow";
import { connect } from "../../../../db/client.ts";

export { default } from "../../../../node_modules/@react-router/dev/dist/config/defaults/entry.server.node.tsx";

connect(process.env.DATABASE_URL ?? "");
await startEscrow();
