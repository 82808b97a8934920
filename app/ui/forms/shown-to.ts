/** The field, or the address's parameter, by which a posted form names the person to whom its page was shown. */
export const shownToField = "shownTo";
