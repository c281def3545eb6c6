/** The user types that rank below staff and above a learner: they act for the members of their groups or portals. */
const SUPERVISORS = /^(group_admin|portal_\w+)$/

const RANKS = { general: 0, group_admin: 1, staff: 2, admin: 3, owner: 4 } as const

/** The least role of an operation. `group_admin` stands for portal administrators as well. */
export type Access = keyof typeof RANKS

/** What the gate must know of an operation. */
export interface Entrance {
  method: string
  access: Access
  /** Asks for a session under every access policy. */
  signedIn: boolean
  /** Changes something although it is a GET. */
  mutates: boolean
}

/** What a token says. */
export interface Session {
  /** The token's own: by it, one session is ended and not the others. */
  id: string
  userId: number
  userType: string
  /** Which of the user's sessions count: a revocation raises the user's epoch in the Durable Object. */
  epoch: number
  /** Epoch milliseconds. */
  expiresAt: number
}

/** Who calls. An anonymous caller has no id; what it may do is the access policy's to say. */
export interface Caller {
  /** The user's id; null for an anonymous call. */
  id: number | null
  /** The user's type: `general`, `group_admin`, `portal_admin`, `staff`, `admin`, `owner`; `anonymous` without a session. */
  userType: string
  /** Where the rate limit and idempotency keys belong: `user:7` or `ip:203.0.113.9`. */
  client: string
  /** How the session came: a cookie needs proof of origin, a bearer token does not. */
  via: "bearer" | "cookie" | "none"
  /** The session that came, held against the user's own in the Durable Object; none for an anonymous call or a job. */
  session?: Session
}

/** What the Durable Object of a client says to one request. */
export interface Count {
  /** false: over the limit. */
  admitted: boolean
  limit: number
  remaining: number
  /** When the window ends, epoch milliseconds. */
  resetAt: number
}

/** The limiter's word on a request. */
export interface Admission extends Count {
  /** true: the session was ended since the token was issued; counted is the network address. */
  revoked: boolean
}

/** -1 for a user type that nobody knows: it may do nothing. */
export function rank(userType: string): number {
  if (userType === "anonymous") return RANKS.owner
  if (SUPERVISORS.test(userType)) return RANKS.group_admin
  return Object.hasOwn(RANKS, userType) ? RANKS[userType as Access] : -1
}

/** true when the caller's role reaches the operation's least role. An unknown role on either side denies. */
export function mayCall(caller: Caller, access: Access): boolean {
  return Object.hasOwn(RANKS, access) && rank(caller.userType) >= RANKS[access]
}

export const isSupervisor = (caller: Caller) => SUPERVISORS.test(caller.userType)
/** Staff and above, and the anonymous caller of the `documented` policy, see everyone. */
export const seesEveryone = (caller: Caller) => rank(caller.userType) >= RANKS.staff

/**
 * May the caller change or delete a user of this type? Staff changes learners and supervisors; an admin everyone but
 * owners; an owner everyone. Oneself is the caller's own business (see each operation).
 */
export function mayChange(caller: Caller, userType: string): boolean {
  const own = rank(caller.userType)
  if (own < RANKS.staff) return false
  if (own === RANKS.staff) return rank(userType) < RANKS.staff
  return own === RANKS.owner || rank(userType) < RANKS.owner
}
