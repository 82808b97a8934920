/** The words of sending and showing pictures. */
export interface PictureWords {
  /** What the button beside the composer does. */
  attach: string;
  choose: string;
  photo: string;
  drop: string;
  /** With `[n]` and `[all]`, where there are several. */
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
  /** The field of the form without script. */
  file: string;
}
