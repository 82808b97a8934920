import { startBusy } from "./busy.ts";
import { startCalculator } from "./calculator.ts";
import { startCopy } from "./copy.ts";
import { startCountdown } from "./countdown.ts";
import { startMenu } from "./menu.ts";
import { startOffline } from "./offline.ts";
import { startPassword } from "./password.ts";
import { startPrint } from "./print.ts";
import { startToast } from "./toast.ts";

startBusy();
startCalculator();
startCopy();
startCountdown();
startMenu();
startOffline();
startPassword();
startPrint();
startToast();
