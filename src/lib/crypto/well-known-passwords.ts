/** Where static assets are read: the binding, or what stands for it in a script. */
export type Assets = Pick<Fetcher, "fetch">

let wellKnown: Promise<Set<string>> | undefined

/** The list among the static assets (scripts/passwords.ts). @throws when it is not there: the build writes it */
async function readList(assets: Assets): Promise<Set<string>> {
  const answer = await assets.fetch("https://assets.local/assets/well-known-passwords.txt")
  if (!answer.ok) throw new Error(`The list of well-known passwords is not among the assets: ${answer.status}.`)
  return new Set((await answer.text()).split("\n"))
}

/**
 * true for a password of the lists that attackers try first. An isolate reads the list when the first password is
 * chosen.
 */
export async function isWellKnown(lowerCased: string, assets: Assets): Promise<boolean> {
  wellKnown ??= readList(assets)
  wellKnown.catch(() => {
    wellKnown = undefined
  })
  return (await wellKnown).has(lowerCased)
}
