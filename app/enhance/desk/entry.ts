import { startDialogs } from "./dialogs.ts";
import { startKeys } from "./keys.ts";
import { startPalette } from "./palette.ts";

startDialogs();
startKeys();
startPalette();
