import { type Caller, canChangeUserOfType, type KeyCaller, outranks } from "../lib/caller.ts"
import { type ApiError, forbidden } from "../lib/errors.ts"

// The rules for changing credentials: passwords, email addresses, roles, second factors, sessions, keys and whether a
// person may sign in. Every such change is checked here and nowhere else. docs/operations/security.md has the rules for
// API keys: a key must not create a person with more rights than its own, or one that outlives it.

/** The user type of learners, who administer nothing. */
export const LEARNER_TYPE = "general"

/** A person whose credentials are to be changed. */
interface Person {
  id: number
  userType: string
}

/** The kind of change; `role` is the new user type. */
export type CredentialChange =
  | "password"
  | "reset password"
  | "email"
  | "two-factor"
  | "end sessions"
  | "disable"
  | "enable"
  | "delete"
  | { role: string }

/** What people may change in their own account, regardless of their role. */
const SELF_SERVICE: ReadonlySet<CredentialChange> = new Set(["password", "email", "two-factor", "end sessions"])

/** Changes that only take access away. */
const REVOCATIONS: ReadonlySet<CredentialChange> = new Set(["end sessions", "disable", "delete"])

const roleNotAllowed = (role: string) => forbidden(`Your role does not allow you to assign the role ${role}.`)

const scopeRequired = () =>
  forbidden(
    "This API key cannot change sign-in credentials. An administrator can add the scope `credentials` to it.",
    "credentials_scope_required",
  )

const learnersOnly = () =>
  forbidden("An API key can only create learners. Sign in as a user to assign other roles.", "user_session_required")

/** Why an API key may not make the change; undefined: it may. A key's job has no grant, so it has no scopes. */
function keyRefusal(caller: KeyCaller, { userType }: Person, change: CredentialChange): ApiError | undefined {
  if (!canChangeUserOfType(caller, userType) || !outranks(caller.userType, { kind: "user", userType }))
    return forbidden("An API key cannot change the credentials of users with its own role or above.")
  if (REVOCATIONS.has(change)) return undefined
  const isUnrestricted = caller.grant?.access === "write" && caller.grant.families === null
  if (userType !== LEARNER_TYPE && !isUnrestricted)
    return forbidden("This API key is restricted to some modules, so it can only change the credentials of learners.")
  if (change === "enable") return undefined
  // An identity provider is where the addresses of its people are changed.
  if (change === "email" && caller.grant?.scopes.includes("scim")) return undefined
  if (!caller.grant?.scopes.includes("credentials")) return scopeRequired()
  return typeof change === "object" && change.role !== LEARNER_TYPE ? learnersOnly() : undefined
}

/** Why a caller may not change a person's credentials; undefined: they may. */
function refusal(caller: Caller, person: Person, change: CredentialChange): ApiError | undefined {
  if (caller.kind === "key") return keyRefusal(caller, person, change)
  if (caller.id === person.id && SELF_SERVICE.has(change)) return undefined
  if (!canChangeUserOfType(caller, person.userType))
    return forbidden("Your role does not allow you to change this user.")
  return typeof change === "object" && !canChangeUserOfType(caller, change.role)
    ? roleNotAllowed(change.role)
    : undefined
}

export const canChangeCredentials = (caller: Caller, person: Person, change: CredentialChange): boolean =>
  refusal(caller, person, change) === undefined

/** @throws 403 with the code of the reason */
export function requireCredentials(caller: Caller, person: Person, change: CredentialChange): void {
  const refused = refusal(caller, person, change)
  if (refused) throw refused
}

/** Refuses to create a user with a role that the caller may not assign. @throws 403 */
export function requireAssignableRole(caller: Caller, role: string): void {
  if (caller.kind === "key" && role !== LEARNER_TYPE) throw learnersOnly()
  if (!canChangeUserOfType(caller, role)) throw roleNotAllowed(role)
}

/** Whether the caller may set initial passwords; otherwise new users get an invitation. */
export const canSetInitialPasswords = (caller: Caller): boolean =>
  caller.kind !== "key" || caller.grant?.scopes.includes("credentials") === true

/** Refuses an API key role that the caller may not assign or change. @throws 403 */
export function requireKeyRole(caller: Caller, role: string): void {
  if (caller.kind === "key") throw forbidden("An API key cannot create or change API keys.", "user_session_required")
  if (!canChangeUserOfType(caller, role))
    throw forbidden(`Your role does not allow you to create or change API keys with the role ${role}.`)
}
