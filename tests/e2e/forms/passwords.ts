// Passwords that several forms ask for, and what they are told of bad ones.

/** Long enough for every form. */
export const longPassword = "a long enough secret";
const other = "another long secret";

/** A new password, typed twice. */
export const newPassword = { newPassword: other, confirmPassword: other };
/** What each of the two fields is told of a password that is too short. */
export const shortPasswords = { newPassword: "validation.password", confirmPassword: "validation.password" };
/** Two new passwords that differ. */
export const mismatch = {
  values: { newPassword: other, confirmPassword: "not that word" },
  says: { confirmPassword: "validation.passwordsDontMatch" },
};
