import type { Sql } from "postgres";
import { roleOf } from "./roles.ts";

type Right = "SELECT" | "INSERT" | "UPDATE" | "DELETE";
/**
 * What the application's role may do with a table; `columns` are those it may UPDATE where it may not update all, and `inserted` those it may
 * give a new row where the database gives it the others.
 */
export type Grant = { rights: readonly Right[]; columns?: readonly string[]; inserted?: readonly string[] };

const read: Grant = { rights: ["SELECT"] };
/** What was written stays as it was: the owner alone could change it, by functions with checks of their own. */
const append: Grant = { rights: ["SELECT", "INSERT"] };
/** Written, and erased once it may be forgotten; never rewritten. */
const erasable: Grant = { rights: ["SELECT", "INSERT", "DELETE"] };
/** A row moves on and is never taken away; what of it is frozen, its triggers say. */
const kept: Grant = { rights: ["SELECT", "INSERT", "UPDATE"] };
const free: Grant = { rights: ["SELECT", "INSERT", "UPDATE", "DELETE"] };

/**
 * What the application's role may do, table by table. A table that is missing here is one nobody decided on: the application cannot
 * read it, and `grants.test.ts` fails.
 */
export const grants: Readonly<Record<string, Grant>> = {
  "drizzle.__drizzle_migrations": read,

  // The ledger. Its balances follow the entries, by a trigger that runs as the owner.
  "payments.journals": append,
  "payments.entries": append,
  "payments.balances": read,
  "payments.ledger_checks": append,
  // A manual confirmation may be matched to the provider's row, found to be the same money as another, or taken back; sums never change.
  "payments.payments": {
    rights: ["SELECT", "INSERT"],
    columns: [
      ...["provider_payment_id", "invoice_id", "matched_at", "paid_at", "wallet", "kind", "payer_bank"],
      ...["same_as", "taken_back_at"],
    ],
  },
  "payments.payouts": kept,
  "payments.holds": kept,
  "payments.halt": kept,
  "payments.invoices": kept,
  "payments.provider_invoices": kept,
  "payments.provider_problems": kept,
  "payments.reconciliation_runs": kept,
  "payments.reconciliation_tasks": kept,
  "payments.settlements": kept,

  // The log and its chain. Entries and traces are erased by functions of the owner.
  // The database numbers an entry and says by which transaction it was written: neither can be made up.
  "audit.entries": {
    rights: ["SELECT"],
    inserted: ["at", "user_id", "action", "room_id", "subject_kind", "subject_id", "data", "trace"],
  },
  "audit.blocks": append,
  "audit.erased": append,
  "audit.traces": append,
  "audit.checks": append,
  "audit.heads": append,
  "audit.anchor_failures": free,

  // Trades, and their history.
  "escrow.steps": append,
  "escrow.day_figures": append,
  "escrow.details": erasable,
  "escrow.dispute_statements": erasable,
  "escrow.support_requests": erasable,
  // What was reported stays as it was until it is erased; only its resolution is written.
  "escrow.reports": {
    rights: ["SELECT", "INSERT", "DELETE"],
    columns: ["resolved_at", "resolved_by", "note"],
  },
  "escrow.trades": kept,
  "escrow.deadlines": kept,
  "escrow.disputes": kept,
  "escrow.evidence_key": kept,
  "escrow.hand_confirmations": kept,
  "escrow.ruling_proposals": kept,
  "escrow.information": kept,
  "escrow.vaults": kept,
  // A vault's key goes with it, by a trigger that runs as the owner.
  "escrow.vault_keys": append,
  "escrow.invoicing": free,

  "identity.admin_grants": append,
  "identity.consents": append,
  "identity.users": kept,
  "identity.people_counted": kept,
  "identity.profile_changes": erasable,
  // What was decided stays, by a trigger; it is confirmed and ended, and its words are erased with the person.
  "identity.restrictions": {
    rights: ["SELECT", "INSERT"],
    columns: [
      ...["note", "confirmed_by", "confirmed_at", "ended_at", "ended_by", "ended_how", "end_note"],
      "expiry_notified_at",
    ],
  },
  "identity.restriction_signs": erasable,
  "identity.login_tickets": free,
  "identity.passkey_challenges": free,
  "identity.passkeys": free,
  "identity.recovery_codes": free,
  "identity.saved_filters": free,
  "identity.second_factors": free,
  "identity.sessions": free,
  "identity.suspended_sessions": free,
  "identity.tokens": free,

  "rooms.messages": erasable,
  "rooms.images": erasable,
  "rooms.rooms": free,
  "rooms.counters": free,
  "rooms.members": free,
  "rooms.invites": free,
  "rooms.activity": free,
  "rooms.unread_searched": kept,
  "rooms.unread_told": free,

  "mailer.template_versions": append,
  "mailer.vapid_keys": kept,
  "mailer.mailbox": erasable,
  "mailer.messages": free,
  "mailer.push_subscriptions": free,
  "mailer.pushes": free,

  "base.encryption_keys": kept,
  "base.heartbeat": kept,
  "base.instance": kept,
  "base.throttle": free,
  "base.unfinished_restore": read,

  "sandbox.behaviours": free,
  "sandbox.calls": free,
  "sandbox.deliveries": free,
  "sandbox.invoices": free,
  "sandbox.manners": free,
  "sandbox.payments": free,
  "sandbox.tokens": free,
};

/** Sequences that are asked by name; those that number rows need no right of their own. */
const sequences: Readonly<Record<string, string>> = { "audit.era": "SELECT, USAGE" };

/** What the owner's functions do for the application that it may not do itself. Nobody else may call them. */
export const functions: readonly string[] = [
  "base.keep_partitions(regclass, interval)",
  "base.make_partitions(regclass, timestamp with time zone, timestamp with time zone)",
  "base.analyze_partitioned(regclass)",
  "audit.erase_entries(jsonb)",
  "audit.scrub_traces(bigint, timestamp with time zone)",
  "rooms.digest_earlier(bigint, bigint, timestamp with time zone)",
];

/** All of it is pg-boss's, which names its partitions itself; its tables are made by the owner at the start. */
const JOBS = "pgboss";
const schemas = [...new Set([...Object.keys(grants).map((name) => name.split(".")[0] ?? ""), JOBS])];

type Held = {
  name: string;
  schema: string;
  kind: string;
  part: boolean;
  rights: string[];
  columns: string[];
};

/**
 * Gives the application's role just what `grants` says, and takes what it has beyond; where nothing differs it writes nothing. All of
 * it is one transaction, so that an instance that runs lacks nothing meanwhile. Runs as the owner, under the migrations' lock.
 */
export async function grantApplication(owner: Sql, url: string): Promise<void> {
  const role = roleOf(url);
  const statements = [...(await ofPlaces(owner, role)), ...(await ofTables(owner, role))];
  if (statements.length > 0) await owner.unsafe(`BEGIN; ${statements.join("; ")}; COMMIT`);
}

/** The right to connect, to see into the schemas, and to call the owner's functions. */
async function ofPlaces(owner: Sql, role: string): Promise<string[]> {
  const rows = await owner<Array<{ statement: string }>>`
    SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), ${role}::text) AS statement
      WHERE NOT has_database_privilege(${role}, current_database(), 'CONNECT')
    UNION ALL SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, ${role}::text) FROM pg_namespace
      WHERE nspname IN ${owner(schemas)} AND NOT has_schema_privilege(${role}, oid, 'USAGE')
    UNION ALL SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', signature, ${role}::text)
      FROM unnest(${functions as string[]}::text[]) AS signature
      WHERE NOT has_function_privilege(${role}, signature::regprocedure, 'EXECUTE')`;
  return rows.map(({ statement }) => statement);
}

async function ofTables(owner: Sql, role: string): Promise<string[]> {
  const [quoted] = await owner<Array<{ name: string }>>`SELECT quote_ident(${role}) AS name`;
  const held = await owner<Held[]>`
    SELECT n.nspname || '.' || c.relname AS name, n.nspname AS schema, c.relkind AS kind, c.relispartition AS part,
      ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = r.oid ORDER BY 1) AS rights,
      ARRAY(SELECT a.attname || ' ' || x.privilege_type FROM pg_attribute a, aclexplode(a.attacl) x
        WHERE a.attrelid = c.oid AND x.grantee = r.oid ORDER BY 1) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
    WHERE r.rolname = ${role} AND n.nspname IN ${owner(schemas)} AND c.relkind IN ('r', 'p', 'S')`;
  return held.flatMap((one) => difference(one, quoted?.name ?? ""));
}

function difference(one: Held, role: string): string[] {
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

/** A partition is reached through its parent alone; pg-boss reaches its own by their names. */
function tableGrant({ name, schema, part }: Held): {
  rights: readonly string[];
  columns?: readonly string[];
  inserted?: readonly string[];
} {
  if (schema === JOBS) return free;
  return part ? { rights: [] } : (grants[name] ?? { rights: [] });
}

function sequenceGrant({ name, schema }: Held): ReturnType<typeof tableGrant> {
  if (schema === JOBS) return { rights: ["SELECT", "USAGE"] };
  return { rights: sequences[name]?.split(", ") ?? [] };
}
