import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { noPartition } from "./partition-filter.ts";

/** Where a column that names a person is found in their own data: a part of the download, or why it is in none. */
export type Place = { part: string } | { leftOut: string };

const inPart = (part: string): Place => ({ part });
const leftOut = (leftOut: string): Place => ({ leftOut });
/** What somebody did at the desk stands in the log as theirs; whom or what they did it to is not about them. */
const administratorActivity = inPart("activity");
const secretColumn = leftOut(
  "a secret, of which nothing but that it is there could be told; sessions and activity tell that",
);
const unreadMark = leftOut("a mark for our own telling of messages, gone with the room");

/** Every column that names a person. */
export const personColumns: Record<string, Place> = {
  "audit.entries.user_id": inPart("activity"),
  "escrow.details.given_by": inPart("informationGiven"),
  "escrow.dispute_statements.by_user": inPart("disputeStatements"),
  "escrow.disputes.ruled_by": administratorActivity,
  "escrow.disputes.taken_by": administratorActivity,
  "escrow.hand_confirmations.confirmed_by": administratorActivity,
  "escrow.hand_confirmations.laid_aside_by": administratorActivity,
  "escrow.hand_confirmations.proposed_by": administratorActivity,
  "escrow.reports.person_id": leftOut("what others reported of somebody is theirs, and would name them"),
  "escrow.reports.reporter_id": inPart("reports"),
  "escrow.reports.resolved_by": administratorActivity,
  "escrow.ruling_proposals.confirmed_by": administratorActivity,
  "escrow.ruling_proposals.proposed_by": administratorActivity,
  "escrow.ruling_proposals.withdrawn_by": administratorActivity,
  "escrow.support_requests.user_id": inPart("supportRequests"),
  "escrow.trades.buyer_id": inPart("transactions"),
  "escrow.trades.seller_id": inPart("transactions"),
  "escrow.vaults.sealed_by": inPart("transactions"),
  "identity.admin_grants.by": administratorActivity,
  "identity.admin_grants.made": inPart("profile"),
  "identity.consents.user_id": inPart("consents"),
  "identity.login_tickets.user_id": secretColumn,
  "identity.passkey_challenges.user_id": secretColumn,
  "identity.passkeys.user_id": inPart("passkeys"),
  "identity.profile_changes.changed_by": administratorActivity,
  "identity.profile_changes.user_id": inPart("profileChanges"),
  "identity.recovery_codes.user_id": secretColumn,
  "identity.restriction_signs.user_id": leftOut(
    "keyed hashes of what the profile says; a later account is linked by them",
  ),
  "identity.restrictions.confirmed_by": administratorActivity,
  "identity.restrictions.ended_by": administratorActivity,
  "identity.restrictions.placed_by": administratorActivity,
  "identity.restrictions.user_id": inPart("restrictions"),
  "identity.saved_filters.user_id": inPart("savedFilters"),
  "identity.second_factors.user_id": secretColumn,
  "identity.sessions.user_id": inPart("sessions"),
  "identity.suspended_sessions.user_id": secretColumn,
  "identity.tokens.user_id": secretColumn,
  "identity.users.id": inPart("profile"),
  "mailer.messages.dealt_by": administratorActivity,
  "mailer.messages.user_id": leftOut("what was mailed is erased once it is sent; its person has the mails"),
  "mailer.push_subscriptions.user_id": inPart("notifiedDevices"),
  "mailer.pushes.user_id": leftOut("what was pushed is gone within days; its person has had it"),
  "mailer.template_versions.user_id": administratorActivity,
  "payments.halt.changed_by": administratorActivity,
  "payments.halt.resume_by": administratorActivity,
  "payments.holds.closed_by": administratorActivity,
  "payments.holds.opened_by": administratorActivity,
  "payments.holds.proposed_by": administratorActivity,
  "payments.payments.confirmed_by": administratorActivity,
  "payments.payments.proposed_by": administratorActivity,
  "payments.payouts.approved_by": administratorActivity,
  "payments.payouts.claimed_by": administratorActivity,
  "payments.payouts.first_approved_by": administratorActivity,
  "payments.payouts.reported_by": administratorActivity,
  "payments.payouts.taken_over_from": administratorActivity,
  "payments.payouts.done_by": administratorActivity,
  "payments.payouts.named_by": administratorActivity,
  "payments.payouts.recipient_id": inPart("transactions"),
  "payments.payouts.sent_by": administratorActivity,
  "payments.payouts.unknown_by": administratorActivity,
  "payments.payouts.voided_by": administratorActivity,
  "payments.reconciliation_runs.begun_by": administratorActivity,
  "payments.reconciliation_tasks.resolved_by": administratorActivity,
  "payments.settlements.confirmed_by": administratorActivity,
  "payments.settlements.laid_aside_by": administratorActivity,
  "payments.settlements.proposed_by": administratorActivity,
  "rooms.activity.user_id": unreadMark,
  "rooms.invites.created_by_id": leftOut(
    "the room's way in, shown to both of its sides; activity tells who made it",
  ),
  "rooms.members.user_id": inPart("rooms"),
  "rooms.messages.reply_to": inPart("messages"),
  "rooms.messages.sender_id": inPart("messages"),
  "rooms.rooms.created_by_id": inPart("rooms"),
  "rooms.unread_told.user_id": unreadMark,
};

/** What whole numbers are called that name no person: ids of other things, sums, counts and places in an order. */
const impersonalNames = `
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
      AND (NOT column_name = ANY (string_to_array(${impersonalNames.join(",")}, ',')) OR (table_schema, table_name, column_name) = ('identity', 'users', 'id'))
    UNION
    SELECT format('%s.%I', c.conrelid::regclass, a.attname) FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' AND c.confrelid = 'identity.users'::regclass
    ORDER BY 1`);
  return rows.map(({ name }) => name.replaceAll('"', ""));
}
