// The passwords that attackers try first, as a text: a static asset of the Worker, and what `npm run owner` reads.
import { dictionary } from "@zxcvbn-ts/language-common"
import { SHORTEST_PASSWORD } from "../../src/lib/secrets/password-length.ts"

/** A line each, in the order of the alphabet, which packs best. Shorter ones than may be chosen are left out. */
export const wellKnownPasswords = (): string =>
  dictionary["passwords-common"]
    .map(String)
    .filter((known) => [...known].length >= SHORTEST_PASSWORD)
    .sort()
    .join("\n")
