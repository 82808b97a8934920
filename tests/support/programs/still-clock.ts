/** The one moment of every picture: a Wednesday, 11:10 in Ulaanbaatar. */
export const stillMoment = "2036-05-14T03:10:00Z";
