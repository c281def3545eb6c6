/** The user types that rank below staff and above a learner: they act for the members of their groups or portals. */
const SUPERVISORS = /^(group_admin|portal_\w+)$/

const RANKS = { general: 0, group_admin: 1, staff: 2, admin: 3, owner: 4 } as const

/** The least role of an operation. `group_admin` stands for portal administrators as well. */
export type Access = keyof typeof RANKS

/** The roles, from the least to the most. */
export const ROLES = ["general", "group_admin", "staff", "admin", "owner"] as const satisfies Access[]

/** What the gate must know of an operation. */
export interface RouteAccess {
  /** What a generated client calls it, such as `listUsers`. */
  operationId: string
  method: string
  access: Access
  /** Asks for a session under every access policy. */
  signedIn: boolean
  /** Changes something although it is a GET. */
  mutates: boolean
  /** Such a GET that answers a link too: with a cookie it then changes nothing. */
  linkable: boolean
  /** The family of operations that it belongs to: its tag in the OpenAPI document. */
  tag: string
  /** Which API keys may call it; those whose role and scope allow it unless told. `none`: it needs a person. */
  keys: "scope" | "every" | "none"
}

/** What an API key may do: only read, or change as well. */
export type KeyAccess = "read" | "write"

/** What an API key may be trusted with beyond its role and families. */
type KeyScope = "credentials"

/** What an API key grants. */
export interface Grant {
  keyId: number
  name: string
  /** A user type. */
  role: string
  access: KeyAccess
  /** The tags of the operations that it may call; null: all. */
  families: string[] | null
  scopes: KeyScope[]
  /** When the key, or its token that came, ends: epoch milliseconds; 0: never. */
  expiresAt: number
  /** How often the key was made anew: what an earlier one was exchanged for does not hold. */
  generation: number
}

/** What a call shows of a key: the key itself, as its HMAC, or a token that it was exchanged for. */
export type KeyProof =
  | {
      keyId: number
      /** As it is kept; and as versions before 0.3 kept it, under each secret. */
      hash: string
      hashesBefore: string[]
      /** Did this service make it? false: nobody can tell, for its secret may be gone. */
      checked: boolean
    }
  | { keyId: number; generation: number; access: KeyAccess; expiresAt: number }

/** What a token says. */
export interface Session {
  /** The token's own, or its device's (`deviceSession`): by it, one session is ended and not the others. */
  id: string
  userId: number
  userType: string
  /** Which of the user's sessions count: a revocation raises the user's epoch in the Durable Object. */
  epoch: number
  /** Epoch milliseconds. */
  expiresAt: number
}

const OF_DEVICE = "device:"
/** The session of a device, by the device's id: one, whatever number of tokens it had. */
export const deviceSession = (deviceId: number) => `${OF_DEVICE}${deviceId}`
/** The device whose session it is; undefined for one of twelve hours. */
export const deviceIdOf = ({ id }: Pick<Session, "id">): number | undefined =>
  id.startsWith(OF_DEVICE) ? Number(id.slice(OF_DEVICE.length)) : undefined

/** What every caller has, whoever they are. */
interface Acting {
  /** `general`, `group_admin`, `portal_admin`, `staff`, `admin` or `owner`; `anonymous` without a credential. */
  userType: string
  /** Where the rate limit and idempotency keys belong: `user:7`, `key:3` or `ip:203.0.113.9`. */
  client: string
}

/** A user who is signed in, or for whom a job works. */
interface UserCaller extends Acting {
  kind: "user"
  /** The user's id. */
  id: number
  /** How the session came: a cookie needs proof of origin, a bearer token does not. A job has none. */
  via: "bearer" | "cookie" | "none"
  /** The session that came, held against the user's own in the Durable Object; none for a job. */
  session?: Session
}

/** A program with an API key, or a job that one began. It is no user: what is a user's own finds nothing for it. */
export interface KeyCaller extends Acting {
  kind: "key"
  /** The negative of the key's id, which is no user's: conditions on own rows hold for none. */
  id: number
  via: "bearer" | "none"
  /** What the key that came grants; none for a job. */
  grant?: Grant
}

/** Nobody in particular; what they may do is the access policy's to say. */
interface AnonymousCaller extends Acting {
  kind: "anonymous"
  id: null
  via: "none"
}

/** Who calls. */
export type Caller = UserCaller | KeyCaller | AnonymousCaller

/** The caller whom a row remembers by `Caller`'s id, for what is done in their name without a credential of theirs. */
export function callerAs(id: number | null, userType: string, client: string): Caller {
  if (id === null) return { kind: "anonymous", id, userType, client, via: "none" }
  return { kind: id < 0 ? "key" : "user", id, userType, client, via: "none" }
}

/** The caller as a user, for columns that name one; null for a key and for nobody in particular. */
export const userIdOf = (caller: Caller): number | null => (caller.kind === "user" ? caller.id : null)

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
export interface RateLimitDecision extends Count {
  /** true: the session was ended since the token was issued; counted is the network address. */
  revoked: boolean
}

type Role = Pick<Caller, "kind" | "userType">

/** A user type's rank; -1 for one that nobody knows, who may do nothing. */
function rank(userType: string): number {
  if (SUPERVISORS.test(userType)) return RANKS.group_admin
  return Object.hasOwn(RANKS, userType) ? RANKS[userType as Access] : -1
}

/**
 * What the access policy `documented` lets those do who call without a session: everything. The other policy sends them
 * to the sign-in page before anybody asks for their rank.
 */
const OPEN_POLICY = RANKS.owner

const rankOf = ({ kind, userType }: Role): number => (kind === "anonymous" ? OPEN_POLICY : rank(userType))

/** Does the caller have this role, or one above it? An unknown role on either side denies. */
export const hasRole = (caller: Role, least: Access): boolean =>
  Object.hasOwn(RANKS, least) && rankOf(caller) >= RANKS[least]

/** Is a user type above the caller's? */
export const outranks = (userType: string, caller: Role): boolean => rank(userType) > rankOf(caller)

export const isSupervisor = (caller: Caller) => SUPERVISORS.test(caller.userType)
/** Staff and above, and those without a session under the open policy, see everyone. */
export const seesEveryone = (caller: Caller) => hasRole(caller, "staff")

/**
 * May the caller change or delete a user of this type? Staff changes learners and supervisors; an admin everyone but
 * owners; an owner everyone. What callers do with their own account is each operation's to say.
 */
export function mayChange(caller: Role, userType: string): boolean {
  if (!hasRole(caller, "staff")) return false
  if (!hasRole(caller, "admin")) return rank(userType) < RANKS.staff
  return hasRole(caller, "owner") || rank(userType) < RANKS.owner
}
