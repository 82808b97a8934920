import { startCopy } from "./copy.ts";
import { startCountdown } from "./countdown.ts";

startCopy();
startCountdown();
