import { startCopy } from "./copy.ts";

startCopy();
