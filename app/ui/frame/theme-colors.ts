/** What a phone paints around our pages: the ground of the header in each theme, and that of a page (app/ui/styles/look.css). */
export const themeColors = { light: "#ffffff", dark: "#171e28" } as const;
export const pageColor = "#faf8f4";
