import { limitAttempts } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { verifyPassword } from "../../lib/crypto/password.ts"
import { ApiError, invalid } from "../../lib/errors.ts"

/** A user whose own password or address is to change. */
interface Account {
  id: number
  email: string
  passwordHash: string | null
}

const required = (message: string) =>
  new ApiError("current_password_required", message, { errors: { current_password: [message] } })

/**
 * Checks the password that callers give for their own account, as one of its attempts.
 * @param given undefined: the call does not say
 * @param changes what people sign in with changes: then callers with a session cookie must give it, whose browser may
 * act for a page of somebody else, and under REQUIRE_CURRENT_PASSWORD everybody
 * @throws 403 where it is missing, 422 when it is wrong, 429 after ten wrong ones in 15 minutes
 */
export async function requireCurrentPassword(
  work: UnitOfWork,
  user: Account,
  given: string | undefined,
  changes = true,
) {
  const { caller, env } = work
  if (caller.kind !== "user" || user.id !== caller.id) return
  const isAsked = changes && (caller.via === "cookie" || env.REQUIRE_CURRENT_PASSWORD === "on")
  if (isAsked && user.passwordHash === null)
    throw required("This account has no password yet. Choose one with the link that /password/forgot sends first.")
  if (given === undefined) {
    if (isAsked) throw required("current_password is required: send your present password as well.")
    return
  }
  const holds = await limitAttempts(env, { account: accountClient(user.email) }, async () => {
    const result = await verifyPassword(given, user.passwordHash)
    return { verdict: result ? "held" : "wrong", result }
  })
  if (!holds) throw invalid("current_password", "current_password is wrong.")
}
