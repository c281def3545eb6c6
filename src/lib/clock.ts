/** The current time in UTC epoch milliseconds. The service reads it only here, so that tests can set it. */
export const now = (): number => Date.now()

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
