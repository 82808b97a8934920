import { startParts } from "../browser/browser-needs.ts";
import { startDialogs } from "./dialogs.ts";
import { startPalette } from "./palette.ts";
import { startShortcuts } from "./shortcuts.ts";

startParts([startDialogs, startShortcuts, startPalette]);
