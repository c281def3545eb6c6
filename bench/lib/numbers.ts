/** The number below which a share of them lies; 0 of none. */
export const quantile = (numbers: number[], share: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0

export const median = (numbers: number[]): number => quantile(numbers, 0.5)
