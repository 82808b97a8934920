// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of the sources, templates among them
import { type Breach, breach } from "./breach.ts";

const identity = "modules/identity/lib";
const escrow = "modules/escrow/lib";

export const breaches: readonly Breach[] = [
  breach(
    "8.1.1",
    "a call is not in the document",
    "docs/security/authorization.md",
    "| `/api/chat/join` | no | with a code, while there is a free place | | |\n",
    "",
  ),
  breach(
    "8.1.1",
    "a family of calls is not in the document",
    "docs/security/authorization.md",
    "`/api/user`, `/api/push` | no |",
    "`/api/user` | no |",
  ),
  breach(
    "8.1.2",
    "a field is not in the document",
    "docs/security/authorization.md",
    "| `accountNumber`, `ibanNumber`, ",
    "| `ibanNumber`, ",
  ),
  breach(
    "8.2.1",
    "members are administrators",
    `${identity}/core/require-actor.ts`,
    '  if (actor.kind === "user" && !actor.isAdmin) return { ok: false, code: "ADMIN_REQUIRED" };\n',
    "",
  ),
  breach(
    "8.2.1",
    "the desk's pages open to members",
    "app/server/pages/page-context.ts",
    "  const needed = requireAdmin(actorOf(context));\n",
    "  const needed = requireUser(actorOf(context)) as ReturnType<typeof requireAdmin>;\n",
  ),
  breach(
    "8.2.1",
    "visitors are told whether a call of administrators takes what they send",
    "app/server/listener/request-gate.ts",
    "  return needed.ok ? undefined : needed.code;\n}\n\n/**\n * A body is measured",
    "  return undefined;\n}\n\n/**\n * A body is measured",
  ),
  breach(
    "8.2.2",
    "a trade is anybody's",
    `${escrow}/core/party-access.ts`,
    "  const side = trade && sideOf(trade, user.member.userId);",
    '  const side = trade && (sideOf(trade, user.member.userId) ?? "seller");',
  ),
  breach(
    "8.2.2",
    "a session is anybody's to end",
    `${identity}/sessions/sessions.ts`,
    "and(eq(sessionsTable.userId, userId), eq(sessionsTable.id, sessionId))",
    "eq(sessionsTable.id, sessionId)",
  ),
  breach(
    "8.2.2",
    "a room is anybody's",
    "modules/rooms/lib/membership/membership.ts",
    'eq(membersTable.userId, value("userId")),',
    'sql`${value("userId")} > 0`, ',
    [
      {
        file: "modules/rooms/lib/membership/membership.ts",
        find: "import { and, eq, isNull }",
        replace: "import { and, eq, isNull, sql }",
      },
    ],
  ),
  breach(
    "8.2.3",
    "numbers show before the payment",
    `${escrow}/trade/room-guards.ts`,
    '    if (trade?.confirmedAt == null || trade.status === "cancelled") return "all";',
    '    if (trade === undefined) return "none";',
  ),
  breach(
    "8.2.3",
    "what is masked shows its beginning",
    "modules/rooms/lib/core/masked-contacts.ts",
    "null : maskNumber(contact)",
    "null : contact",
  ),
  breach(
    "8.2.3",
    "a seller reads the vault",
    `${escrow}/vault/rules.ts`,
    '  if (side !== "buyer") return "BUYER_ONLY";\n',
    "",
  ),
  breach(
    "8.2.3",
    "frames carry an e-mail",
    `${escrow}/information/notify-party.ts`,
    "data: { transactionId: trade.id, side, ...data },",
    "data: { transactionId: trade.id, side, by: member.email, ...data },",
  ),
  breach(
    "8.3.1",
    "a header makes an administrator",
    `${identity}/core/with-actor.ts`,
    "return { ...origin, ...member };",
    'return { ...origin, ...member, isAdmin: member.isAdmin || request.headers.get("x-forwarded-user") === "admin" };',
  ),
  breach(
    "8.3.1",
    "a cookie makes an administrator",
    `${identity}/core/with-actor.ts`,
    "return { ...origin, ...member };",
    'return { ...origin, ...member, isAdmin: member.isAdmin || /role=admin/.test(request.headers.get("cookie") ?? "") };',
  ),
  breach(
    "8.3.1",
    "a right that was taken still counts",
    `${identity}/sessions/sessions.ts`,
    "    ...member\n  } = row;",
    "    ...member\n  } = row;\n  if (member.isAdmin) rights.add(member.userId);\n  member.isAdmin = rights.has(member.userId);",
    [
      {
        file: `${identity}/sessions/sessions.ts`,
        find: "type SessionMember = Omit<Member, keyof Origin>;",
        replace: "type SessionMember = Omit<Member, keyof Origin>;\nconst rights = new Set<number>();",
      },
    ],
  ),
];
