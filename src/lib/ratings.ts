/** The mean of ratings from their kept sum and count, to two decimals; 0 without any. */
export const meanRating = ({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }) =>
  ratingCount > 0 ? Math.round((100 * ratingSum) / ratingCount) / 100 : 0
