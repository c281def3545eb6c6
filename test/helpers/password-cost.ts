import { passwordCost } from "../../src/lib/crypto/password.ts"

// A hash of a deployment takes a quarter of a second here, which the tests of other things need not wait for.

const deployed = { ...passwordCost }

/** Passwords cost next to nothing: in every test that does not say otherwise. */
export const cheapPasswords = () => Object.assign(passwordCost, { N: 2, r: 1, p: 1 })

/** For the rest of the test, passwords cost what they cost in a deployment. */
export const deployedPasswords = () => Object.assign(passwordCost, deployed)
