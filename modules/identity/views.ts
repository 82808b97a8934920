export type { SavedFilterList } from "./lib/administrators/saved-filters.ts";
export type { AdminUserView, PeoplePage } from "./lib/administrators/search-people.ts";
export type { AdminUserDetail, ProfileChange } from "./lib/administrators/user-detail.ts";
export type {
  ActivityLog,
  MailTemplate,
  NotificationChoices,
  NotificationPreferences,
  NotifiedDevice,
  SecondFactor,
  SignedInDevice,
  UserView,
} from "./lib/core/responses.ts";
export type { NamedPerson } from "./lib/core/users/named-people.ts";
export type { EmailTemplate } from "./lib/email-settings/email-settings.ts";
export type { NameRefusals } from "./lib/names/name-refusals.ts";
export type { OwnPasskey } from "./lib/passkeys/responses.ts";
export type { LinkedAccount, RestrictionView } from "./lib/restrictions/responses.ts";
