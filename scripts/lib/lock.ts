// What npm verifies of the packages that it installs.

interface Entry {
  integrity?: string
  /** A folder of this repository. */
  link?: boolean
  /** Part of another package, whose integrity covers it. */
  inBundle?: boolean
}

/** The packages of a package-lock.json that npm would install without comparing a digest. */
export function packagesWithoutIntegrity(lock: string): string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, Entry> }
  return Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path !== "" && !link && !inBundle)
    .flatMap(([path, { integrity = "" }]) => (/^sha512-[\w+/]{86}==$/.test(integrity) ? [] : [path]))
}
