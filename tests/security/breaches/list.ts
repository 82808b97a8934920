import type { Breach } from "./breach.ts";
import { breaches as v01 } from "./v01.ts";
import { breaches as v02 } from "./v02.ts";
import { breaches as v03 } from "./v03.ts";
import { breaches as v04 } from "./v04.ts";
import { breaches as v05 } from "./v05.ts";
import { breaches as authentication } from "./v06-authentication.ts";
import { breaches as passwords } from "./v06-passwords.ts";
import { breaches as v07 } from "./v07.ts";
import { breaches as v08 } from "./v08.ts";
import { breaches as v09 } from "./v09.ts";
import { breaches as v11 } from "./v11.ts";
import { breaches as v12 } from "./v12.ts";
import { breaches as v13 } from "./v13.ts";
import { breaches as v14 } from "./v14.ts";
import { breaches as v15 } from "./v15.ts";
import { breaches as v16 } from "./v16.ts";

/** Every breach that is tried, by chapter. */
export const breaches: readonly Breach[] = [
  ...[...v01, ...v02, ...v03, ...v04, ...v05, ...passwords, ...authentication, ...v07, ...v08],
  ...[...v09, ...v11, ...v12, ...v13, ...v14, ...v15, ...v16],
];
