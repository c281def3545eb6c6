import { DAY, HOUR } from "./clock.ts"

/** How long a token lasts, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR
/** How long a device's refresh token lasts, and so a device that is not used. */
export const DEVICE_LIFETIME = 30 * DAY
