import { expect } from "vitest"

export const iso = (at: number) => new Date(at).toISOString()

/** Matches any time in ISO 8601 (UTC). */
export const anyIsoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
