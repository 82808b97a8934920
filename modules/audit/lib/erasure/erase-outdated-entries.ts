import { subDays } from "date-fns/subDays";
import { subYears } from "date-fns/subYears";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob, WALK_SECONDS } from "#db/jobs";
import type { AuditAction } from "#locales";
import { LOG_DAYS, RECORD_YEARS, TRACE_DAYS } from "../core/retention-periods.ts";
import { sealedRecords } from "../records/record-registry.ts";
import { eraseEntries } from "./erase-entries.ts";
import { scrubTraces } from "./scrub-traces.ts";

/** Actions of sign-in, connections and Midman's own work: the login and system logs that the privacy policy names. */
export const logActions: readonly AuditAction[] = [
  "account_delete_failed",
  "admin_login",
  "admin_login_failed",
  "data_downloaded",
  "job.dropped",
  "job.retried",
  "ledger_check_asked",
  "login",
  "login_failed",
  "logout",
  "logs_check_asked",
  "mail_failed",
  "mail_sent",
  "mail_test_sent",
  "notifications_chosen",
  "passkey_confirmed",
  "passkey_failed",
  "password_change_failed",
  "password_confirm_failed",
  "password_confirmed",
  "password_reset_requested",
  "push_off",
  "push_on",
  "second_factor_asked",
  "second_factor_begun",
  "second_factor_failed",
  "session_revoked",
  "sessions_revoked",
  "traces_scrubbed",
  "verification_resent",
  "websocket_connect",
  "websocket_disconnect",
];

/** Actions about messages and users' accounts. Actions in neither list are about money or administrators: their entries stay. */
export const recordActions: readonly AuditAction[] = [
  "documents_agreed",
  "email_verified",
  "image_sent",
  "invite_renewed",
  "message_digested",
  "message_sent",
  "messages_digested",
  "name_chosen",
  "passkey_added",
  "passkey_copied",
  "passkey_removed",
  "passkey_renamed",
  "password_changed",
  "password_reset",
  "profile_updated",
  "recovery_code_used",
  "recovery_codes_renewed",
  "register",
  "report_filed",
  "roles_switched",
  "room_created",
  "room_deleted",
  "room_erased",
  "room_hidden",
  "room_joined",
  "room_left",
  "second_factor_off",
  "second_factor_on",
  "support_requested",
];

defineJob("audit.retention", () => applyRetention(currentTime()), {
  cron: "20 19 * * *",
  seconds: WALK_SECONDS,
});

/** Applies the retention schedule to the log, each night. */
export async function applyRetention(at: Date): Promise<void> {
  await scrubOldTraces(at);
  await eraseEntries({ actions: logActions, olderThan: subDays(at, LOG_DAYS), at });
  const olderThan = subYears(at, RECORD_YEARS);
  // The entry of an erased room is erased a week after the digests of its messages: a digest without that entry would look like a removed
  // message.
  const erasings: AuditAction[] = ["room_erased"];
  const actions = recordActions.filter((action) => !erasings.includes(action));
  const kept = sealedRecords().flatMap((records) => records.kept ?? []);
  await eraseEntries({ actions, olderThan, at, kept });
  await eraseEntries({ actions: erasings, olderThan: subDays(olderThan, 7), at });
}

/** Erases every trace older than 30 days. */
export async function scrubOldTraces(at: Date): Promise<void> {
  const olderThan = subDays(at, TRACE_DAYS);
  await runInTransaction((tx) => scrubTraces(tx, { by: { userId: null }, at, olderThan }));
}
