/** User types above learner and below staff. They act for the members of their groups or portals. */
const SUPERVISORS = /^(group_admin|portal_\w+)$/

const RANKS = { general: 0, group_admin: 1, staff: 2, admin: 3, owner: 4 } as const

/** The minimum role of an operation. `group_admin` includes portal administrators. */
export type Access = keyof typeof RANKS

/** The roles in ascending order. */
export const ROLES = ["general", "group_admin", "staff", "admin", "owner"] as const satisfies Access[]

/** The properties of an operation that authorization needs. */
export interface RouteAccess {
  /** The name in generated clients, such as `listUsers`. */
  operationId: string
  method: string
  access: Access
  /** Requires a session under every access policy. */
  signedIn: boolean
  /** A GET that changes something. */
  mutates: boolean
  /** A `mutates` operation that also works as a link: with a cookie it then changes nothing. */
  linkable: boolean
  /** Its tag in the OpenAPI document. */
  tag: string
  /** The API keys that may call it: those whose role and scope allow it, every key, or none. */
  keys: "scope" | "every" | "none"
}

/** Whether an API key may only read, or also write. */
export type KeyAccess = "read" | "write"

/** Permissions of an API key in addition to its role and tags. */
type KeyScope = "credentials" | "scim"

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
  /** When the key or its token expires, epoch milliseconds; 0: never. */
  expiresAt: number
  /** How often the key was rotated. Tokens of earlier generations are invalid. */
  generation: number
}

/** The proof of a key in a request: the hash of the key, or the claims of a token that it was exchanged for. */
export type KeyProof =
  | {
      keyId: number
      /** The hash as stored, and in the format of versions before 0.3, for each secret. */
      hash: string
      hashesBefore: string[]
      /**
       * Whether the check characters prove that this service created the key. false: unknown, since the secret may
       * have been rotated out.
       */
      checked: boolean
    }
  | { keyId: number; generation: number; access: KeyAccess; expiresAt: number }

/** The claims of a session token. */
export interface Session {
  /** The id of the token, or of its device's session (`deviceSession`). It allows ending one session. */
  id: string
  userId: number
  userType: string
  /** The user's session epoch: a revocation increases it in the Durable Object, which ends older sessions. */
  epoch: number
  /** Epoch milliseconds. */
  expiresAt: number
}

const DEVICE_PREFIX = "device:"
/** The session id of a device, shared by all its tokens. */
export const deviceSession = (deviceId: number) => `${DEVICE_PREFIX}${deviceId}`
/** The device of a session; undefined for a 12-hour session. */
export const deviceIdOf = ({ id }: Pick<Session, "id">): number | undefined =>
  id.startsWith(DEVICE_PREFIX) ? Number(id.slice(DEVICE_PREFIX.length)) : undefined

/** Properties of every caller. */
interface BaseCaller {
  /** `general`, `group_admin`, `portal_admin`, `staff`, `admin` or `owner`; `anonymous` without a credential. */
  userType: string
  /** The name of the rate limit and of idempotency keys: `user:7`, `key:3` or `ip:203.0.113.9`. */
  client: string
}

/** A signed-in user, or the user of a job. */
interface UserCaller extends BaseCaller {
  kind: "user"
  /** The user's id. */
  id: number
  /** The source of the session: cookies need proof of origin, bearer tokens do not. A job has none. */
  via: "bearer" | "cookie" | "none"
  /** The session, checked against the user's epoch in the Durable Object. A job has none. */
  session?: Session
}

/** A program with an API key, or a job that it started. It is not a user and has no records of its own. */
export interface KeyCaller extends BaseCaller {
  kind: "key"
  /** The negative id of the key, which matches no user. */
  id: number
  via: "bearer" | "none"
  /** The key's permissions. A job has none. */
  grant?: Grant
}

/** A caller without a credential. The access policy decides what they may do. */
interface AnonymousCaller extends BaseCaller {
  kind: "anonymous"
  id: null
  via: "none"
}

/** The caller of a request or the initiator of a job. */
export type Caller = UserCaller | KeyCaller | AnonymousCaller

/** The caller with a stored `Caller.id`, for jobs that run without the caller's credential. */
export function callerAs(id: number | null, userType: string, client: string): Caller {
  if (id === null) return { kind: "anonymous", id, userType, client, via: "none" }
  return { kind: id < 0 ? "key" : "user", id, userType, client, via: "none" }
}

/** The user id of a caller; null for an API key and an anonymous caller. */
export const userIdOf = (caller: Caller): number | null => (caller.kind === "user" ? caller.id : null)

/** A Durable Object's count for one request. */
export interface Count {
  /** false: the limit is exceeded. */
  admitted: boolean
  limit: number
  remaining: number
  /** When the window ends, epoch milliseconds. */
  resetAt: number
}

/** The rate limiter's decision on a request. */
export interface RateLimitDecision extends Count {
  /** Whether the session was ended after the token was issued. The request then counts for the network address. */
  revoked: boolean
}

/**
 * The result of an attempt to guess or enter a secret.
 * - `correct`: resets the failures of the account.
 * - `wrong`: counts as a failure for the account and the address.
 * - `wrong code`: counts for the account only: the caller already knows the password.
 * - `undecided`: counts for neither, such as an intermediate step.
 */
export type AttemptResult = "correct" | "wrong" | "wrong code" | "undecided"

type Role = Pick<Caller, "kind" | "userType">

/** The rank of a user type; -1 for an unknown type, which may do nothing. */
function rank(userType: string): number {
  if (SUPERVISORS.test(userType)) return RANKS.group_admin
  return Object.hasOwn(RANKS, userType) ? RANKS[userType as Access] : -1
}

/**
 * The rank of anonymous callers: the access policy `documented` allows everything without a session. The policy
 * `enforced` redirects them to the sign-in page before any rank is checked.
 */
const ANONYMOUS_RANK = RANKS.owner

const rankOf = ({ kind, userType }: Role): number => (kind === "anonymous" ? ANONYMOUS_RANK : rank(userType))

/** Whether the caller has this role or a higher one. Unknown roles are denied. */
export const hasRole = (caller: Role, role: Access): boolean =>
  Object.hasOwn(RANKS, role) && rankOf(caller) >= RANKS[role]

/** Whether a user type ranks above the caller's. */
export const outranks = (userType: string, caller: Role): boolean => rank(userType) > rankOf(caller)

export const isSupervisor = (caller: Caller) => SUPERVISORS.test(caller.userType)
/** Whether the caller can see all users: staff and above, and anonymous callers under the `documented` policy. */
export const canSeeAllUsers = (caller: Caller) => hasRole(caller, "staff")

/**
 * Whether the caller may change or delete a user of this type: staff may change learners and supervisors, admins
 * everyone except owners, owners everyone. Operations decide about the caller's own account.
 */
export function canChangeUserOfType(caller: Role, userType: string): boolean {
  if (!hasRole(caller, "staff")) return false
  if (!hasRole(caller, "admin")) return rank(userType) < RANKS.staff
  return hasRole(caller, "owner") || rank(userType) < RANKS.owner
}
