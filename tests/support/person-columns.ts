import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { noPartition } from "./partitions.ts";

/** Where a column that names a person is found in their own data: a part of the download, or why it is in none. */
export type Place = { part: string } | { leftOut: string };

const part = (part: string): Place => ({ part });
const leftOut = (leftOut: string): Place => ({ leftOut });
/** What somebody did at the desk stands in the log as theirs; whom or what they did it to is not about them. */
const desk = part("activity");
const secret = leftOut(
  "a secret, of which nothing but that it is there could be told; sessions and activity tell that",
);
const mark = leftOut("a mark for our own telling of messages, gone with the room");

/** Every column that names a person. */
export const personColumns: Record<string, Place> = {
  "audit.entries.user_id": part("activity"),
  "escrow.details.given_by": part("informationGiven"),
  "escrow.dispute_statements.by_user": part("disputeStatements"),
  "escrow.disputes.ruled_by": desk,
  "escrow.disputes.taken_by": desk,
  "escrow.hand_confirmations.confirmed_by": desk,
  "escrow.hand_confirmations.laid_aside_by": desk,
  "escrow.hand_confirmations.proposed_by": desk,
  "escrow.reports.person_id": leftOut("what others reported of somebody is theirs, and would name them"),
  "escrow.reports.reporter_id": part("reports"),
  "escrow.reports.resolved_by": desk,
  "escrow.ruling_proposals.confirmed_by": desk,
  "escrow.ruling_proposals.proposed_by": desk,
  "escrow.ruling_proposals.withdrawn_by": desk,
  "escrow.support_requests.user_id": part("supportRequests"),
  "escrow.trades.buyer_id": part("transactions"),
  "escrow.trades.seller_id": part("transactions"),
  "escrow.vaults.sealed_by": part("transactions"),
  "identity.admin_grants.by": desk,
  "identity.admin_grants.made": part("profile"),
  "identity.consents.user_id": part("consents"),
  "identity.login_tickets.user_id": secret,
  "identity.passkey_challenges.user_id": secret,
  "identity.passkeys.user_id": part("passkeys"),
  "identity.profile_changes.changed_by": desk,
  "identity.profile_changes.user_id": part("profileChanges"),
  "identity.recovery_codes.user_id": secret,
  "identity.restriction_signs.user_id": leftOut(
    "keyed hashes of what the profile says; a later account is linked by them",
  ),
  "identity.restrictions.confirmed_by": desk,
  "identity.restrictions.ended_by": desk,
  "identity.restrictions.placed_by": desk,
  "identity.restrictions.user_id": part("restrictions"),
  "identity.saved_filters.user_id": part("savedFilters"),
  "identity.second_factors.user_id": secret,
  "identity.sessions.user_id": part("sessions"),
  "identity.suspended_sessions.user_id": secret,
  "identity.tokens.user_id": secret,
  "identity.users.id": part("profile"),
  "mailer.messages.dealt_by": desk,
  "mailer.messages.user_id": leftOut("what was mailed is erased once it is sent; its person has the mails"),
  "mailer.push_subscriptions.user_id": part("notifiedDevices"),
  "mailer.pushes.user_id": leftOut("what was pushed is gone within days; its person has had it"),
  "mailer.template_versions.user_id": desk,
  "payments.halt.changed_by": desk,
  "payments.halt.resume_by": desk,
  "payments.holds.closed_by": desk,
  "payments.holds.opened_by": desk,
  "payments.holds.proposed_by": desk,
  "payments.payments.confirmed_by": desk,
  "payments.payments.proposed_by": desk,
  "payments.payouts.approved_by": desk,
  "payments.payouts.claimed_by": desk,
  "payments.payouts.first_approved_by": desk,
  "payments.payouts.reported_by": desk,
  "payments.payouts.taken_over_from": desk,
  "payments.payouts.done_by": desk,
  "payments.payouts.named_by": desk,
  "payments.payouts.recipient_id": part("transactions"),
  "payments.payouts.sent_by": desk,
  "payments.payouts.unknown_by": desk,
  "payments.payouts.voided_by": desk,
  "payments.provider_problems.resolved_by": desk,
  "payments.reconciliation_runs.begun_by": desk,
  "payments.reconciliation_tasks.resolved_by": desk,
  "payments.settlements.confirmed_by": desk,
  "payments.settlements.laid_aside_by": desk,
  "payments.settlements.proposed_by": desk,
  "rooms.activity.user_id": mark,
  "rooms.invites.created_by_id": leftOut(
    "the room's way in, shown to both of its sides; activity tells who made it",
  ),
  "rooms.members.user_id": part("rooms"),
  "rooms.messages.sender_id": part("messages"),
  "rooms.rooms.created_by_id": part("rooms"),
  "rooms.unread_told.user_id": mark,
};

/** What whole numbers are called that name no person: ids of other things, sums, counts and places in an order. */
const things = `
  aside_of block dispute_id entry_id first_id id journal_id last_id message_id passkey_id payment_id payout_id reference replaces room_id
  session_id trade_id corrects same_as
  amount balance cost fee fees gross held here_amount here_sum net paid_out received refund_amount refunded sum suspense there_amount
  there_sum to_escrow to_suspense volume
  counter entries extended_ms journals n payments payout_seconds payouts total up_to used_step
  last_seq read_seq seq sequence since_seq`
  .trim()
  .split(/\s+/);

/** Every column of our schemas that names a person, or may: it refers to one, or is a whole number of no known other name. */
export async function columnsOfPeople(): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(sql`
    SELECT format('%I.%I.%I', table_schema, table_name, column_name) AS name FROM information_schema.columns
    WHERE table_schema IN ('audit', 'base', 'escrow', 'identity', 'mailer', 'payments', 'rooms') AND data_type = 'bigint' AND ${noPartition}
      AND (NOT column_name = ANY (string_to_array(${things.join(",")}, ',')) OR (table_schema, table_name, column_name) = ('identity', 'users', 'id'))
    UNION
    SELECT format('%s.%I', c.conrelid::regclass, a.attname) FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' AND c.confrelid = 'identity.users'::regclass
    ORDER BY 1`);
  return rows.map(({ name }) => name.replaceAll('"', ""));
}
