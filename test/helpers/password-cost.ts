import { passwordCost } from "../../src/lib/crypto/password.ts"
import { hashQueue } from "../../src/lib/crypto/password-queue.ts"

// A hash of a deployment takes a quarter of a second here, which the tests of other things need not wait for.

const deployed = { ...passwordCost }
const deployedQueue = { ...hashQueue }

/** Passwords cost next to nothing: in every test that does not say otherwise. */
export function cheapPasswords() {
  Object.assign(passwordCost, { N: 2, r: 1, p: 1 })
  Object.assign(hashQueue, { ...deployedQueue, pauseMs: 0 })
}

/** For the rest of the test, passwords cost what they cost in a deployment. */
export const deployedPasswords = () => Object.assign(passwordCost, deployed)
