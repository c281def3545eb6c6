// The passwords that attackers try first, as a text: a static asset of the Worker, and what `npm run owner` reads.
import { dictionary } from "@zxcvbn-ts/language-common"

/**
 * A line each, in the order of the alphabet, which packs best.
 * @param shortest how many characters a password must have: shorter ones are left out
 */
export const wellKnownPasswords = (shortest: number): string =>
  dictionary["passwords-common"]
    .map(String)
    .filter((known) => [...known].length >= shortest)
    .sort()
    .join("\n")
