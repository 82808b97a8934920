/** Texts for sending and showing pictures. */
export interface PictureWords {
  /** Label of the button beside the composer. */
  attach: string;
  choose: string;
  photo: string;
  drop: string;
  /** With `[n]` and `[all]`: how many of the chosen files can be sent, or which picture the viewer shows. */
  count: string;
  caption: string;
  cancel: string;
  addMore: string;
  /** With `[name]`, a file's. */
  remove: string;
  /** Some of the chosen files were left out. */
  tooMany: string;
  /** The dialog could not be loaded. */
  notLoaded: string;
  preparing: string;
  notPicture: string;
  tooLarge: string;
  pdfTooLarge: string;
  /** With `[n]`. */
  kilobytes: string;
  megabytes: string;
  sending: string;
  /** With `[name]`. */
  from: string;
  broken: string;
  again: string;
  /** Labels of the viewer and its buttons. */
  viewer: string;
  previous: string;
  next: string;
  zoom: string;
  download: string;
  close: string;
  /** Label of the file field in the form without script. */
  file: string;
}
