import { DAY, HOUR } from "./clock.ts"

/** The lifetime of a session token in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR
/** The lifetime of a device's refresh token, and of a device that is not used. */
export const DEVICE_LIFETIME = 30 * DAY
