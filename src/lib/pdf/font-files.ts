import { FontCatalog } from "./font-catalog.ts"

// Reads the fonts among the static assets (scripts/fonts.ts), and caches them in the isolate.

const MAX_CACHED_BYTES = 8_000_000

const files = new Map<string, Promise<Uint8Array>>()
let cachedBytes = 0
let catalog: Promise<FontCatalog> | undefined

/** @throws when the file is missing: the build makes them */
async function read(assets: Fetcher, name: string): Promise<Response> {
  const answer = await assets.fetch(`https://assets.local/assets/fonts/${name}`)
  if (!answer.ok) throw new Error(`The font file ${name} is not among the assets: ${answer.status}.`)
  return answer
}

export function loadFontCatalog(assets: Fetcher): Promise<FontCatalog> {
  catalog ??= read(assets, "index.json").then(async (answer) => new FontCatalog(await answer.json()))
  catalog.catch(() => {
    catalog = undefined
  })
  return catalog
}

/** Returns a font file. The least recently used files leave the cache first. */
export function loadFontFile(assets: Fetcher, file: string): Promise<Uint8Array> {
  const known = files.get(file)
  const bytes = known ?? read(assets, `${file}.ttf`).then(async (answer) => new Uint8Array(await answer.arrayBuffer()))
  files.delete(file)
  files.set(file, bytes)
  if (!known)
    bytes.then(
      ({ length }) => evict(length),
      () => files.delete(file),
    )
  return bytes
}

async function evict(addedBytes: number) {
  cachedBytes += addedBytes
  for (const [file, bytes] of files) {
    if (cachedBytes <= MAX_CACHED_BYTES) return
    files.delete(file)
    cachedBytes -= (await bytes).length
  }
}
