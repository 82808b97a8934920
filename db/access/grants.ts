import type { Sql } from "postgres";
import { roleOf } from "./application-role.ts";

type Right = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/**
 * The rights of the application's role to a table. `columns` are those it may UPDATE if it may not update all; `inserted` are those it may
 * set in a new row if the database sets the others.
 */
export type Grant = { rights: readonly Right[]; columns?: readonly string[]; inserted?: readonly string[] };

const readGrant: Grant = { rights: ["SELECT"] };
/** Rows never change. Only the owner could change them, through functions with checks of their own. */
const appendGrant: Grant = { rights: ["SELECT", "INSERT"] };
/** Rows are inserted, and deleted once they may be forgotten, but never updated. */
const erasableGrant: Grant = { rights: ["SELECT", "INSERT", "DELETE"] };
/** Rows are updated and never deleted. Triggers protect the columns that must not change. */
const updatableGrant: Grant = { rights: ["SELECT", "INSERT", "UPDATE"] };
const fullGrant: Grant = { rights: ["SELECT", "INSERT", "UPDATE", "DELETE"] };

/**
 * The rights of the application's role, table by table. The application cannot read a table that is missing here, and
 * `application-role.test.ts` fails.
 */
export const applicationGrants: Readonly<Record<string, Grant>> = {
  "drizzle.__drizzle_migrations": readGrant,

  // The ledger. A trigger that runs as the owner updates its balances from the entries.
  "payments.journals": appendGrant,
  "payments.entries": appendGrant,
  "payments.balances": readGrant,
  "payments.ledger_checks": appendGrant,
  // A manual confirmation may be matched to the provider's row, identified as the same money as another, or withdrawn. Amounts never
  // change.
  "payments.payments": {
    rights: ["SELECT", "INSERT"],
    columns: [
      ...["provider_payment_id", "invoice_id", "matched_at", "paid_at", "wallet", "kind", "payer_bank"],
      ...["same_as", "taken_back_at"],
    ],
  },
  "payments.payouts": updatableGrant,
  "payments.holds": updatableGrant,
  "payments.halt": updatableGrant,
  "payments.invoices": updatableGrant,
  "payments.provider_invoices": updatableGrant,
  "payments.reconciliation_runs": updatableGrant,
  "payments.reconciliation_tasks": updatableGrant,
  "payments.settlements": updatableGrant,

  // The log and its chain. Functions of the owner erase entries and traces. The database sets an entry's number and the transaction that
  // wrote it, so neither can be forged.
  "audit.entries": {
    rights: ["SELECT"],
    inserted: ["at", "user_id", "action", "room_id", "subject_kind", "subject_id", "data", "trace"],
  },
  "audit.blocks": appendGrant,
  "audit.erased": appendGrant,
  "audit.traces": appendGrant,
  "audit.checks": appendGrant,
  "audit.heads": appendGrant,
  "audit.anchor_failures": fullGrant,

  // Trades, and their history.
  "escrow.steps": appendGrant,
  "escrow.day_figures": appendGrant,
  "escrow.details": erasableGrant,
  "escrow.dispute_statements": erasableGrant,
  "escrow.support_requests": erasableGrant,
  // A report does not change until it is erased; only its resolution is written.
  "escrow.reports": {
    rights: ["SELECT", "INSERT", "DELETE"],
    columns: ["resolved_at", "resolved_by", "note"],
  },
  "escrow.trades": updatableGrant,
  "escrow.deadlines": updatableGrant,
  "escrow.disputes": updatableGrant,
  "escrow.evidence_key": updatableGrant,
  "escrow.hand_confirmations": updatableGrant,
  "escrow.ruling_proposals": updatableGrant,
  "escrow.information": updatableGrant,
  "escrow.vaults": updatableGrant,
  // A trigger that runs as the owner deletes a vault's key together with the vault.
  "escrow.vault_keys": appendGrant,
  "escrow.invoicing": fullGrant,

  "identity.admin_grants": appendGrant,
  "identity.consents": appendGrant,
  "identity.users": updatableGrant,
  "identity.people_counted": updatableGrant,
  "identity.profile_changes": erasableGrant,
  // A trigger keeps the decision unchanged. The row can be confirmed and ended, and its texts are erased with the account.
  "identity.restrictions": {
    rights: ["SELECT", "INSERT"],
    columns: [
      ...["note", "confirmed_by", "confirmed_at", "ended_at", "ended_by", "ended_how", "end_note"],
      "expiry_notified_at",
    ],
  },
  "identity.restriction_signs": erasableGrant,
  "identity.login_tickets": fullGrant,
  "identity.passkey_challenges": fullGrant,
  "identity.passkeys": fullGrant,
  "identity.recovery_codes": fullGrant,
  "identity.saved_filters": fullGrant,
  "identity.second_factors": fullGrant,
  "identity.sessions": fullGrant,
  "identity.suspended_sessions": fullGrant,
  "identity.tokens": fullGrant,

  "rooms.messages": erasableGrant,
  "rooms.images": erasableGrant,
  "rooms.rooms": fullGrant,
  "rooms.counters": fullGrant,
  "rooms.members": fullGrant,
  "rooms.invites": fullGrant,
  "rooms.activity": fullGrant,
  "rooms.unread_searched": updatableGrant,
  "rooms.unread_told": fullGrant,

  "mailer.template_versions": appendGrant,
  "mailer.vapid_keys": updatableGrant,
  "mailer.mailbox": erasableGrant,
  "mailer.messages": fullGrant,
  "mailer.push_subscriptions": fullGrant,
  "mailer.pushes": fullGrant,

  "base.encryption_keys": updatableGrant,
  "base.heartbeat": updatableGrant,
  "base.instance": updatableGrant,
  "base.throttle": fullGrant,
  "base.unfinished_restore": readGrant,

  "sandbox.behaviours": fullGrant,
  "sandbox.calls": fullGrant,
  "sandbox.deliveries": fullGrant,
  "sandbox.invoices": fullGrant,
  "sandbox.manners": fullGrant,
  "sandbox.payments": fullGrant,
  "sandbox.tokens": fullGrant,
};

/** Sequences that the application reads by name. Sequences that number rows need no right of their own. */
const sequenceRights: Readonly<Record<string, string>> = { "audit.era": "SELECT, USAGE" };

/** Functions of the owner that do what the application may not do itself. No other role may call them. */
export const ownerFunctions: readonly string[] = [
  "base.keep_partitions(regclass, interval)",
  "base.make_partitions(regclass, timestamp with time zone, timestamp with time zone)",
  "base.analyze_partitioned(regclass)",
  "audit.erase_entries(jsonb)",
  "audit.scrub_traces(bigint, timestamp with time zone)",
  "rooms.digest_earlier(bigint, bigint, timestamp with time zone)",
];

/** pg-boss owns all of this schema and names its own partitions. The owner creates its tables at the start. */
const JOBS = "pgboss";
const grantedSchemas = [
  ...new Set([...Object.keys(applicationGrants).map((name) => name.split(".")[0] ?? ""), JOBS]),
];

type HeldRights = {
  name: string;
  schema: string;
  kind: string;
  part: boolean;
  rights: string[];
  columns: string[];
};

/**
 * Gives the application's role exactly the rights in `applicationGrants` and revokes others; writes nothing if nothing differs. Runs in one
 * transaction, so that a running instance never lacks a right meanwhile. Runs as the owner, under the migrations' lock.
 */
export async function grantApplication(owner: Sql, url: string): Promise<void> {
  const role = roleOf(url);
  const statements = [
    ...(await schemaGrantStatements(owner, role)),
    ...(await tableGrantStatements(owner, role)),
  ];
  if (statements.length > 0) await owner.unsafe(`BEGIN; ${statements.join("; ")}; COMMIT`);
}

/** The rights to connect, to use the schemas and to call the owner's functions. */
async function schemaGrantStatements(owner: Sql, role: string): Promise<string[]> {
  const rows = await owner<Array<{ statement: string }>>`
    SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), ${role}::text) AS statement
      WHERE NOT has_database_privilege(${role}, current_database(), 'CONNECT')
    UNION ALL SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, ${role}::text) FROM pg_namespace
      WHERE nspname IN ${owner(grantedSchemas)} AND NOT has_schema_privilege(${role}, oid, 'USAGE')
    UNION ALL SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', signature, ${role}::text)
      FROM unnest(${ownerFunctions as string[]}::text[]) AS signature
      WHERE NOT has_function_privilege(${role}, signature::regprocedure, 'EXECUTE')`;
  return rows.map(({ statement }) => statement);
}

async function tableGrantStatements(owner: Sql, role: string): Promise<string[]> {
  const [quoted] = await owner<Array<{ name: string }>>`SELECT quote_ident(${role}) AS name`;
  const held = await owner<HeldRights[]>`
    SELECT n.nspname || '.' || c.relname AS name, n.nspname AS schema, c.relkind AS kind, c.relispartition AS part,
      ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = r.oid ORDER BY 1) AS rights,
      ARRAY(SELECT a.attname || ' ' || x.privilege_type FROM pg_attribute a, aclexplode(a.attacl) x
        WHERE a.attrelid = c.oid AND x.grantee = r.oid ORDER BY 1) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
    WHERE r.rolname = ${role} AND n.nspname IN ${owner(grantedSchemas)} AND c.relkind IN ('r', 'p', 'S')`;
  return held.flatMap((one) => grantChanges(one, quoted?.name ?? ""));
}

function grantChanges(one: HeldRights, role: string): string[] {
  const sequence = one.kind === "S";
  const { rights, columns = [], inserted = [] } = sequence ? sequenceGrant(one) : tableGrant(one);
  const same = (a: readonly string[], b: readonly string[]) => [...a].sort().join() === [...b].sort().join();
  if (
    same(one.rights, rights) &&
    same(one.columns, [
      ...columns.map((name) => `${name} UPDATE`),
      ...inserted.map((name) => `${name} INSERT`),
    ])
  ) {
    return [];
  }
  const what = `${sequence ? "SEQUENCE" : "TABLE"} ${one.name}`;
  return [
    `REVOKE ALL ON ${what} FROM ${role}`,
    ...(rights.length > 0 ? [`GRANT ${rights.join(", ")} ON ${what} TO ${role}`] : []),
    ...(columns.length > 0 ? [`GRANT UPDATE (${columns.join(", ")}) ON ${what} TO ${role}`] : []),
    ...(inserted.length > 0 ? [`GRANT INSERT (${inserted.join(", ")}) ON ${what} TO ${role}`] : []),
  ];
}

/** A partition is reached only through its parent; pg-boss reaches its own by name. */
function tableGrant({ name, schema, part }: HeldRights): {
  rights: readonly string[];
  columns?: readonly string[];
  inserted?: readonly string[];
} {
  if (schema === JOBS) return fullGrant;
  return part ? { rights: [] } : (applicationGrants[name] ?? { rights: [] });
}

function sequenceGrant({ name, schema }: HeldRights): ReturnType<typeof tableGrant> {
  if (schema === JOBS) return { rights: ["SELECT", "USAGE"] };
  return { rights: sequenceRights[name]?.split(", ") ?? [] };
}
