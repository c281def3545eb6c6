// npm run client: makes the package in src/client: its types from the OpenAPI document, and dist/ with one module and
// its declarations. Its tools stand in a folder of their own: they need another TypeScript than the service. With
// --check it only tells whether the types are of the document, and needs no tools for it.
import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { presentHash, TYPES, typedPart, typesHash } from "./client-types.ts"
import { openApiDocument } from "./families.ts"
import { fail, flags } from "./lib/flags.ts"
import { root } from "./lib/state.ts"

/** What a browser loads of it, its one dependency included. */
const MOST_BYTES = 10_000

const values = flags(
  "npm run client",
  "Writes the client's types from the OpenAPI document, and builds the package in src/client.",
  { check: { type: "boolean", default: false, about: "only tells whether the types are up to date" } },
)
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

/** The declarations of every operation. */
async function declarations(document: object): Promise<string> {
  const tool = async <T>(path: string): Promise<T> => await import(pathToFileURL(inFolder(path)).href)
  const { default: openapiTS, astToString } = await tool<OpenApiTypeScript>("openapi-typescript/dist/index.mjs")
  const { default: ts } = await tool<{ default: Ts }>("typescript/lib/typescript.js")
  const file = ts.factory.createTypeReferenceNode("Blob")
  const ast = await openapiTS(typedPart(document), {
    alphabetize: true,
    // What has a default may be left out.
    defaultNonNullable: false,
    // An object of which nothing is told may hold anything.
    emptyObjectsUnknown: true,
    // A form's file and a file that is answered.
    transform: ({ format }: { format?: string }) => (format === "binary" ? file : undefined),
  })
  return astToString(ast)
}

const document = await openApiDocument()
if (values.check) {
  if (presentHash() === typesHash(document)) process.exit(0)
  fail("src/client/api.generated.d.ts is not of what the service declares. Run: npm run client")
}
install()
const text = await declarations(document)
writeFileSync(TYPES, `// Written by npm run client from the OpenAPI document ${typesHash(document)}\n\n${text}`)

rmSync(dist, { recursive: true, force: true })
const options = { bundle: true, format: "esm", platform: "neutral", target: "es2022", logLevel: "error" } as const
const entry = join(folder, "index.ts")
await build({ ...options, entryPoints: [entry], external: ["openapi-fetch"], outfile: join(dist, "index.js") })
execFileSync(process.execPath, [inFolder("typescript/bin/tsc"), "-p", folder], { stdio: "inherit" })
copyFileSync(TYPES, join(dist, "api.generated.d.ts"))
// npm packs the license that stands beside package.json.
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))

const { outputFiles } = await build({
  ...options,
  entryPoints: [entry],
  mainFields: ["module", "main"],
  minify: true,
  write: false,
})
const size = gzipSync(outputFiles[0]?.contents ?? "").length
console.info(`src/client/dist: ${size} bytes minified and gzipped, with openapi-fetch; ${MOST_BYTES} at most.`)
if (size > MOST_BYTES) fail("The client is larger than it may be.")
