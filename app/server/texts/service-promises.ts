import { replyHours, vaultCheckHours } from "#forms/escrow";

/**
 * What Midman's people promise in its published texts and no code keeps by itself (specification §5, §9). Every other
 * figure of the texts lives with the code that keeps it; both reach the texts through `facts.ts`.
 */
export const servicePromises = {
  /** A payment confirmed by hand after a failure of the system. */
  manualConfirmationWorkingDays: 2,
  /** A payment that is not confirmed after so long is a case for support. */
  stuckPaymentMinutes: 5,
  /** A request about somebody's own data. */
  privacyAnswerDays: 30,
  /** Within how long of receiving an account its password should be changed. */
  changePasswordHours: vaultCheckHours,
  /** Length of a password that the security guide advises. */
  advisedPassword: 12,
  /** Support answers mail within so many hours, at best and at most. */
  mailReplyHours: replyHours,
} as const;
