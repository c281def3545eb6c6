import { passwordCost } from "../../src/lib/crypto/password.ts"
import { hashQueue } from "../../src/lib/crypto/password-queue.ts"

// Hashing a password takes a quarter of a second with the settings of a deployment. Most tests use a lower cost.

const deployed = { ...passwordCost }
const deployedQueue = { ...hashQueue }

/** Lowers the cost of passwords for all tests. */
export function cheapPasswords() {
  Object.assign(passwordCost, { N: 2, r: 1, p: 1 })
  Object.assign(hashQueue, { ...deployedQueue, pauseMs: 0 })
}

/** Uses the cost of a deployment for the rest of the test. */
export const deployedPasswords = () => Object.assign(passwordCost, deployed)
