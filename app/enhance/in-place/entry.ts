import { startInPlace } from "./start.ts";

startInPlace();
