/** Texts for sending and showing pictures. */
export interface PictureWords {
  /** Label of the button beside the composer. */
  attach: string;
  choose: string;
  photo: string;
  drop: string;
  /** With `[n]` and `[all]`; shown if there are several. */
  count: string;
  caption: string;
  cancel: string;
  skip: string;
  preparing: string;
  notPicture: string;
  tooLarge: string;
  sending: string;
  /** With `[name]`. */
  from: string;
  broken: string;
  again: string;
  /** Label of the file field in the form without script. */
  file: string;
}
