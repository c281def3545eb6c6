// src/client: the types of the client, which are not committed, and the package in dist/. The tools stand in a folder
// of
// their own, because they need another TypeScript than the service.
import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { fail } from "../lib/cli.ts"
import { root } from "../lib/state.ts"
import { openApiDocument } from "./app.ts"
import { currentHash, TYPES, typedPart, typesHash } from "./client-types.ts"

const MAX_BYTES = 10_000

const folder = join(root, "src/client")
const dist = join(folder, "dist")
const inFolder = (path: string) => join(folder, "node_modules", path)

/** Installs the locked tools unless they are there. */
function install() {
  const locked = (path: string) => JSON.parse(readFileSync(path, "utf8")).packages
  const listing = inFolder(".package-lock.json")
  const wanted: Record<string, { version: string }> = locked(join(folder, "package-lock.json"))
  const present = existsSync(listing) ? locked(listing) : {}
  if (Object.entries(wanted).every(([path, { version }]) => path === "" || present[path]?.version === version)) return
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    // Under npm pack, whose own settings are not meant for this.
    env: { ...process.env, npm_config_dry_run: "false", npm_config_json: "false" },
    stdio: "inherit",
    shell: process.platform === "win32",
  })
  if (status !== 0) fail("The client's tools could not be installed.")
}

interface Ts {
  factory: { createTypeReferenceNode: (name: string) => unknown }
}
interface OpenApiTypeScript {
  default: (document: object, options: object) => Promise<unknown[]>
  astToString: (ast: unknown) => string
}

/** The types of every operation. */
async function declarations(document: object): Promise<string> {
  const tool = async <T>(path: string): Promise<T> => await import(pathToFileURL(inFolder(path)).href)
  const { default: openapiTS, astToString } = await tool<OpenApiTypeScript>("openapi-typescript/dist/index.mjs")
  const { default: ts } = await tool<{ default: Ts }>("typescript/lib/typescript.js")
  const file = ts.factory.createTypeReferenceNode("Blob")
  const ast = await openapiTS(typedPart(document), {
    alphabetize: true,
    // A caller may omit a property with a default.
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    // Files of requests and of answers.
    transform: ({ format }: { format?: string }) => (format === "binary" ? file : undefined),
  })
  return astToString(ast)
}

/** Writes the types of the client, unless they are current. */
export async function writeClientTypes() {
  const document = await openApiDocument()
  if (currentHash() === typesHash(document)) return
  install()
  const text = await declarations(document)
  writeFileSync(TYPES, `// Written by npm run generate from the OpenAPI document ${typesHash(document)}\n\n${text}`)
}

/** Builds the package. */
export async function buildClient() {
  await writeClientTypes()
  install()
  rmSync(dist, { recursive: true, force: true })
  const options = { bundle: true, format: "esm", platform: "neutral", target: "es2022", logLevel: "error" } as const
  const entry = join(folder, "index.ts")
  await build({ ...options, entryPoints: [entry], external: ["openapi-fetch"], outfile: join(dist, "index.js") })
  execFileSync(process.execPath, [inFolder("typescript/bin/tsc"), "-p", folder], { stdio: "inherit" })
  copyFileSync(TYPES, join(dist, "api.generated.d.ts"))
  // npm packs the license beside package.json.
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))

  const mainFields = ["module", "main"]
  const { outputFiles } = await build({ ...options, entryPoints: [entry], mainFields, minify: true, write: false })
  const size = gzipSync(outputFiles[0]?.contents ?? "").length
  console.info(`src/client/dist: ${size} bytes minified and gzipped, with openapi-fetch; the limit is ${MAX_BYTES}.`)
  if (size > MAX_BYTES) fail("The client is too large.")
}

if (import.meta.main) await buildClient()
