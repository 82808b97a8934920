import { startDialogs } from "./dialogs.ts";
import { startShortcuts } from "./keys.ts";
import { startPalette } from "./palette.ts";

startDialogs();
startShortcuts();
startPalette();
