/** What numbers come to together; 0 of none. */
export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
