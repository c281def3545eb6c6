/** The names of times in ISO 8601, by the documented fields that show the same times as display dates. */
const NAMES = {
  completed: "completedAt",
  completed_on: "completedAt",
  consentDate: "consentedAt",
  created_at: "createdAt",
  end: "endsAt",
  end_date: "endsAt",
  end_time: "endsAt",
  endDate: "endsAt",
  expire_on: "expiresAt",
  expires_at: "expiresAt",
  issueDate: "issuedAt",
  last_accessed_on: "lastAccessedAt",
  last_login: "lastLoginAt",
  last_used_at: "lastUsedAt",
  lastAccessed: "lastAccessedAt",
  registered_on: "registeredAt",
  reminded_at: "remindedAt",
  start: "startsAt",
  start_date: "startsAt",
  start_time: "startsAt",
  startDate: "startsAt",
  started: "startedAt",
  started_on: "startedAt",
  submitted_on: "submittedAt",
} as const

export const isoNames: ReadonlyMap<string, string> = new Map(Object.entries(NAMES))

export type IsoName<Name> = Name extends keyof typeof NAMES ? (typeof NAMES)[Name] : never
