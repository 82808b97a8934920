/** The colours that a phone paints around the pages: the header's background in each theme, and the page's (app/ui/styles/look.css). */
export const themeColors = { light: "#ffffff", dark: "#171e28" } as const;
export const pageColor = "#faf8f4";
