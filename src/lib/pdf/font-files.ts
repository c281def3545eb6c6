import { Catalog } from "./font-catalog.ts"

// The fonts among the static assets (scripts/fonts.ts), as far as this isolate has read them.

/** Bytes of fonts that are kept for the isolate's next certificate. */
const KEPT = 8_000_000

const files = new Map<string, Promise<Uint8Array>>()
let kept = 0
let catalog: Promise<Catalog> | undefined

/** @throws when it is not there: the build collects them */
async function read(assets: Fetcher, name: string): Promise<Response> {
  const answer = await assets.fetch(`https://assets.local/assets/fonts/${name}`)
  if (!answer.ok) throw new Error(`The font file ${name} is not among the assets: ${answer.status}.`)
  return answer
}

/** The fonts that there are. */
export function loadCatalog(assets: Fetcher): Promise<Catalog> {
  catalog ??= read(assets, "index.json").then(async (answer) => new Catalog(await answer.json()))
  catalog.catch(() => {
    catalog = undefined
  })
  return catalog
}

/** A font's bytes. The longest unused are let go first. */
export function fontFile(assets: Fetcher, file: string): Promise<Uint8Array> {
  const known = files.get(file)
  const bytes = known ?? read(assets, `${file}.ttf`).then(async (answer) => new Uint8Array(await answer.arrayBuffer()))
  files.delete(file)
  files.set(file, bytes)
  if (!known)
    bytes.then(
      ({ length }) => letGo(length),
      () => files.delete(file),
    )
  return bytes
}

async function letGo(more: number) {
  kept += more
  for (const [file, bytes] of files) {
    if (kept <= KEPT) return
    files.delete(file)
    kept -= (await bytes).length
  }
}
