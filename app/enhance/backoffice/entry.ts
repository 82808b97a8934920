import { startDialogs } from "./dialogs.ts";
import { startPalette } from "./palette.ts";
import { startShortcuts } from "./shortcuts.ts";

startDialogs();
startShortcuts();
startPalette();
