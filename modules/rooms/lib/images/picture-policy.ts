/** The content policy of a picture of somebody's, opened as a page of its own: it is a picture and nothing else, and in no frame. */
export const picturePolicy =
  "sandbox; default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
