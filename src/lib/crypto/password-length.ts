/** How many characters a chosen password has, of any script. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128
