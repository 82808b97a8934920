import { emailScreens } from "./screens/backoffice/email.ts";
import { moneyScreens } from "./screens/backoffice/money.ts";
import { userScreens } from "./screens/backoffice/users.ts";
import { workScreens } from "./screens/backoffice/work.ts";
import { documentScreens } from "./screens/documents.ts";
import { invitationScreens } from "./screens/invitations.ts";
import { leavingScreens } from "./screens/leaving.ts";
import { passkeyScreens } from "./screens/passkeys.ts";
import { restrictionScreens } from "./screens/restrictions.ts";
import { roomScreens } from "./screens/rooms.ts";
import { sandboxScreens } from "./screens/sandbox.ts";
import type { Screen } from "./screens/screen.ts";
import { settingsScreens } from "./screens/settings.ts";
import { signInScreens } from "./screens/sign-in.ts";
import { supportScreens } from "./screens/support.ts";
import { transactionScreens } from "./screens/transactions.ts";
import { vaultScreens } from "./screens/vault.ts";
import { verificationScreens } from "./screens/verification.ts";

/**
 * Every page that exists, in each state worth a look. A new page is one line in the file of its area. A screen's place in this list
 * decides the language, theme and width of its approved picture (`shots.spec.ts`): areas keep their order.
 */
export const screens: Screen[] = [
  ...signInScreens,
  ...supportScreens,
  ...transactionScreens,
  ...verificationScreens,
  ...settingsScreens,
  ...leavingScreens,
  ...roomScreens,
  ...vaultScreens,
  ...documentScreens,
  ...workScreens,
  ...userScreens,
  ...moneyScreens,
  ...emailScreens,
  ...sandboxScreens,
  ...passkeyScreens,
  ...invitationScreens,
  ...restrictionScreens,
];
