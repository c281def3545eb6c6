import { type Caller, type KeyCaller, mayChange, outranks } from "../lib/caller.ts"
import { type ApiError, forbidden } from "../lib/errors.ts"

// Who may change what people sign in with, and what they may do then. Every change of a password, an address, a role, a
// second factor, a session, a key, or of whether a person may sign in at all asks here, and nowhere else. The rules for
// API keys are in docs/operations/security.md: a key must not become a person who may do more than it, or outlive it.

/** The user type of those who administer nothing. */
export const LEARNER_TYPE = "general"

/** A person whose credentials are to change. */
interface Person {
  id: number
  userType: string
}

/** What is done to a person's credentials; `role` is the user type that they are to have. */
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

/** What people change of their own account, whatever their role. */
const OWN: ReadonlySet<CredentialChange> = new Set(["password", "email", "two-factor", "end sessions"])

/** What takes access away and gives none. */
const REVOCATIONS: ReadonlySet<CredentialChange> = new Set(["end sessions", "disable", "delete"])

const notOfRole = (role: string) => forbidden(`Your role does not allow you to make a user ${role}.`)

const lacksScope = () =>
  forbidden(
    "This API key may not change what people sign in with. An administrator can give it the scope `credentials`.",
    "credentials_scope_required",
  )

const raises = () =>
  forbidden(
    "An API key makes nobody more than a learner: that needs a person who is signed in.",
    "user_session_required",
  )

/** Why an API key may not; undefined: it may. A job of a key has no grant, and so neither scope nor whole role. */
function refusalOfKey(caller: KeyCaller, { userType }: Person, change: CredentialChange): ApiError | undefined {
  if (!mayChange(caller, userType) || !outranks(caller.userType, { kind: "user", userType }))
    return forbidden("An API key changes no credentials of people of its own role or above.")
  if (REVOCATIONS.has(change)) return undefined
  const hasWholeRole = caller.grant?.access === "write" && caller.grant.families === null
  if (userType !== LEARNER_TYPE && !hasWholeRole)
    return forbidden("This API key is bound to families of operations: it changes credentials of learners only.")
  if (change === "enable") return undefined
  if (!caller.grant?.scopes.includes("credentials")) return lacksScope()
  return typeof change === "object" && change.role !== LEARNER_TYPE ? raises() : undefined
}

/** Why a caller may not change a person's credentials; undefined: they may. */
function refusalOf(caller: Caller, person: Person, change: CredentialChange): ApiError | undefined {
  if (caller.kind === "key") return refusalOfKey(caller, person, change)
  if (caller.id === person.id && OWN.has(change)) return undefined
  if (!mayChange(caller, person.userType)) return forbidden("Your role does not allow you to change this user.")
  return typeof change === "object" && !mayChange(caller, change.role) ? notOfRole(change.role) : undefined
}

export const mayChangeCredentials = (caller: Caller, person: Person, change: CredentialChange): boolean =>
  refusalOf(caller, person, change) === undefined

/** @throws 403, with the code that says why */
export function requireCredentials(caller: Caller, person: Person, change: CredentialChange): void {
  const refused = refusalOf(caller, person, change)
  if (refused) throw refused
}

/** Refuses somebody new of a role that the caller may not give: a key makes learners only. @throws 403 */
export function requireNewPerson(caller: Caller, role: string): void {
  if (caller.kind === "key" && role !== LEARNER_TYPE) throw raises()
  if (!mayChange(caller, role)) throw notOfRole(role)
}

/** Do people whom the caller makes have the password that it gives? They are sent an invitation otherwise. */
export const mayGivePasswords = (caller: Caller): boolean =>
  caller.kind !== "key" || caller.grant?.scopes.includes("credentials") === true

/** Refuses an API key of a role that is not the caller's to give, or to change. @throws 403 */
export function requireKeyRole(caller: Caller, role: string): void {
  if (caller.kind === "key") throw forbidden("No API key makes or changes API keys.", "user_session_required")
  if (!mayChange(caller, role)) throw forbidden(`Your role does not allow you to make or change an API key ${role}.`)
}
