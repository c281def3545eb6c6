/** The static assets: the binding, or a replacement in scripts. */
export type Assets = Pick<Fetcher, "fetch">

let wellKnown: Promise<Set<string>> | undefined

/** Reads the list from the static assets (scripts/passwords.ts). @throws if the build did not write it */
async function readList(assets: Assets): Promise<Set<string>> {
  const response = await assets.fetch("https://assets.local/assets/well-known-passwords.txt")
  if (!response.ok) throw new Error(`The list of common passwords is missing from the assets: ${response.status}.`)
  return new Set((await response.text()).split("\n"))
}

/** Whether a password is in the list of common passwords. Each isolate loads the list once. */
export async function isWellKnown(lowerCased: string, assets: Assets): Promise<boolean> {
  wellKnown ??= readList(assets)
  wellKnown.catch(() => {
    wellKnown = undefined
  })
  return (await wellKnown).has(lowerCased)
}
