import { limitAttempts } from "../../access/attempts.ts"
import { accountClient } from "../../access/clients.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { verifyPassword } from "../../lib/crypto/password.ts"
import { ApiError, invalid } from "../../lib/errors.ts"

/** A user who changes their own password or email address. */
interface Account {
  id: number
  email: string
  passwordHash: string | null
}

const required = (message: string) =>
  new ApiError("current_password_required", message, { errors: { current_password: [message] } })

/**
 * Checks the current password of callers who change their own account; each check counts as a sign-in attempt.
 * @param password undefined if the request has none
 * @param isRequired whether the request changes credentials: then callers with a session cookie must send the
 *   password (a page of another site could use their browser), and all users under REQUIRE_CURRENT_PASSWORD
 * @throws 403 if it is missing, 422 if it is wrong, 429 after ten wrong passwords in 15 minutes
 */
export async function requireCurrentPassword(
  work: UnitOfWork,
  user: Account,
  password: string | undefined,
  changesCredentials = true,
) {
  const { caller, env } = work
  if (caller.kind !== "user" || user.id !== caller.id) return
  const isRequired = changesCredentials && (caller.via === "cookie" || env.REQUIRE_CURRENT_PASSWORD === "on")
  if (isRequired && user.passwordHash === null)
    throw required("This account has no password. Set one first with the link that /password/forgot sends.")
  if (password === undefined) {
    if (isRequired) throw required("current_password is required.")
    return
  }
  const isCorrect = await limitAttempts(env, { account: accountClient(user.email) }, async () => {
    const result = await verifyPassword(password, user.passwordHash)
    return { verdict: result ? "correct" : "wrong", result }
  })
  if (!isCorrect) throw invalid("current_password", "current_password is incorrect.")
}
