/** Content security policy of a member's picture opened as its own page: nothing but a picture, and not in a frame. */
export const picturePolicy =
  "sandbox; default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
