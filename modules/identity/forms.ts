// What a browser may load of identity: the inputs and limits of each capability. Error messages are keys of the catalogues (`validation.*`);
// the code that shows them translates them.

export {
  type DeleteAccountInput,
  deleteAccountInput,
  type ProfileInput,
  profileInput,
} from "./lib/account/forms.ts";
export {
  type ActivitySearch,
  activityPaging,
  activityQuery,
  activitySearch,
  daysBetween,
} from "./lib/activity/activity-search.ts";
export {
  deleteUserInput,
  type EditUserInput,
  editUserInput,
  type FilterPage,
  filterPages,
  type PeopleFilter,
  peopleFilter,
  peopleListKinds,
  peopleQuery,
  peopleSorts,
  saveFilterInput,
} from "./lib/administrators/forms.ts";
export {
  agreeInput,
  type ConsentDocument,
  consentDocuments,
  consentVersions,
} from "./lib/consents/forms.ts";
export { accountFieldLimits, isPhone } from "./lib/core/form-fields.ts";
export {
  type AdminLoginInput,
  adminLoginInput,
  type LoginInput,
  loginInput,
  type RegisterInput,
  registerInput,
  type VerifyEmailInput,
  verifyEmailInput,
} from "./lib/login/forms.ts";
export {
  avatarInitials,
  type ChooseNameInput,
  chooseNameInput,
  operatorUsernameSchema,
} from "./lib/names/forms.ts";
export {
  type NotificationGroup,
  type NotificationPreferencesInput,
  type NotificationsInput,
  notificationGroups,
  notificationPreferencesForm,
  notificationPreferencesInput,
  notificationsForm,
  notificationsInput,
} from "./lib/notifications/forms.ts";
export {
  passkeyAssertionForm,
  passkeyLimits,
  registerPasskeyForm,
  renamePasskeyInput,
} from "./lib/passkeys/forms.ts";
export {
  type ChangePasswordInput,
  type ConfirmPasswordInput,
  changeAdminPasswordForm,
  changePasswordForm,
  changePasswordInput,
  confirmPasswordInput,
  type ForgotPasswordInput,
  forgotPasswordInput,
  passwordWords,
  type ResetPasswordInput,
  resetAdminPasswordForm,
  resetPasswordForm,
  resetPasswordInput,
} from "./lib/password/forms.ts";
export {
  confirmRestrictionInput,
  liftRestrictionInput,
  type RestrictInput,
  type RestrictionCause,
  type RestrictionKind,
  restrictInput,
  restrictionCauses,
  restrictionKinds,
} from "./lib/restrictions/forms.ts";
export {
  type ConfirmSecondFactorInput,
  confirmSecondFactorInput,
  type FinishLoginInput,
  finishLoginInput,
} from "./lib/second-factor/forms.ts";
