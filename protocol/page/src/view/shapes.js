// The tiles as data, for this page and, through `protocol/picture`, for Rust, which takes every quoted text in the order
// in which it stands here.

/** A wedge that points at the opponent, in a box of 100 by 110, and the foot below it. */
export const BODY = "M50 3 83 17 94 106H6L17 17Z";
export const FOOT = "M7.2 97 6 106H94L92.8 97Z";

/** Sizes of letters, of one letter to four. */
export const SIZES = ["47", "39", "31", "25"];

/**
 * Families of whales: what a name contains (the first that fits), colour, silhouette in a box of 48 by 28, head to the
 * left, where what overlaps is a hole.
 */
export const FAMILIES = [
  ["royal", "white whale", "#b0820d",
    "M16 9 14.5 1.5 19.5 4.5 24 0 28.5 4.5 33.5 1.5 32 9ZM3 20C5 13 15 11 25 12 33 13 38 15 41 15L46 10 45 17 47 23 41 20.5C35 25 27 27 18 27 9 27 2 25 3 20Z"],
  ["killer", "killer|pilot", "#23282e",
    "M2 18C3 11 12 9 19 9 20 5 22 2 25.5 0 25 4 26 7 28 9.5 34 10.5 38 12 41 13.5L47 8 45 15 47 22 41 18C34 22 28 24 18 23.5L14 27 11 23C6 22.5 1.5 21.5 2 18ZM8.5 13.5A3 1.7 0 1 0 14.5 13.5 3 1.7 0 1 0 8.5 13.5Z"],
  ["dolphin", "dolphin", "#0d8577",
    "M1 20C5 17 8 9 18 6.5 20 3 24 1.5 28 1 26.5 3 26.5 5 27.5 7.5 35 10.5 40 16 42 22 44 22 46 23.5 47 26.5 44 25 42 25 40 27.5 39 25.5 39 24 40 22 34 17.5 28 15.5 22 16.5 20 19.5 18 21 14.5 22 16 20 16 18.5 16.5 17 11 17.5 8 20.5 1 20Z"],
  ["porpoise", "porpoise", "#7447ad",
    "M3 17C4 10 12 7.5 20 7.5L24 3 27.5 8.5C34 9.5 38 12 41 14L46 9 45 16 47 22 41 18.5C34 22.5 28 23.5 20 23L16 26.5 13.5 22.5C8 22 2.5 21 3 17Z"],
  ["sperm", "sperm", "#80512c",
    "M2 9C2 6 5 5 9 5L24 6C32 7 37 11 40 13L46 8 45 15 47 21.5 40 17.5C36 20.5 30 21.5 24.5 21.5L22 25 18.5 22 8 21.5C5.5 21.5 4.5 20 5 18.5L16 18 3.5 16C2 14 2 12 2 9Z"],
  ["beaked", "beaked|bottlenose", "#d0621a",
    "M0 16C5 15.5 7 14 9 12 13 8 20 7.5 27.5 9L32.5 5.5 33 10.5C37 12 39 13 41 13.5L47 8.5 45 15 47 21.5 41 17.5C35 20.5 28 22.5 20.5 22L16.5 25.5 14.5 21.5C10 20.5 8 19.5 6 18.5L0 18.2Z"],
  ["arctic", "narwhal|beluga", "#2b93c4",
    "M0 4 14 10.5C18 8 24 8 29 9.5 35 11 38 13 41 14L47 9 45 16 47 22.5 41 18.5C35 21.5 29 23.5 22 23.5L18 26.5 15.5 22.5C11 21 9 19 9 16 9 14.3 9.5 13 10.5 12Z"],
  ["baleen", "", "#1d4f8f",
    "M2 18C3 8 17 5 28 9 34 11.5 37 13 40 10.5 38.5 7.5 39.5 4.5 41.5 2 42.5 5 44.5 6 47.5 5.5 47 9 45 10.5 43.5 11.5 42.5 18 34 24.5 22 24.5L18 27.5 15.5 24C8 23.5 2 22.5 2 18Z"],
];
