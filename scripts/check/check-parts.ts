/** The parts of the check, which a forge can run side by side. */
export const checkParts = ["static", "tests", "browsers"] as const;
export type CheckPart = (typeof checkParts)[number];
