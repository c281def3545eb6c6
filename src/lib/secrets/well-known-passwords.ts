let wellKnown: Promise<Set<string>> | undefined

/**
 * true for a password of the lists that attackers try first. The list is unpacked at its first use, not at start-up.
 */
export async function isWellKnown(lowerCased: string): Promise<boolean> {
  wellKnown ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map(String)),
  )
  return (await wellKnown).has(lowerCased)
}
