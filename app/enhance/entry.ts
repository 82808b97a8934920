import { startParts } from "./browser/browser-needs.ts";
import { startCopy } from "./copy.ts";
import { startCountdown } from "./countdown.ts";
import { startDrafts } from "./drafts.ts";
import { startBusy } from "./forms/busy.ts";
import { startCalculator } from "./forms/calculator.ts";
import { startPassword } from "./forms/password.ts";
import { startRange } from "./forms/range.ts";
import { startInPlaceOnUse } from "./in-place-on-use.ts";
import { startMenu } from "./menu.ts";
import { startOffline } from "./offline.ts";
import { startOpenRow } from "./open-row.ts";
import { startPrint } from "./print.ts";
import { startPush } from "./push.ts";
import { startQr } from "./qr.ts";
import { startShare } from "./share.ts";
import { startShowOpened } from "./show-opened.ts";
import { startToast } from "./toast.ts";
import { startViewTransitions } from "./view-transitions.ts";

startParts([
  startInPlaceOnUse,
  startBusy,
  startCalculator,
  startCopy,
  startCountdown,
  startDrafts,
  startMenu,
  startOffline,
  startOpenRow,
  startPassword,
  startPrint,
  startPush,
  startQr,
  startRange,
  startShare,
  startShowOpened,
  startToast,
  startViewTransitions,
]);
