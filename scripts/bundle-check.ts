// Builds the deployment without deploying it: it must build, be small, start with little work, and let no stranger in.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Metafile } from "esbuild"
import { wrangler } from "./lib/wrangler.ts"

/** Bytes, gzipped: what a Worker may weigh here. */
const LIMIT = 850 * 1024
/** Bytes, minified: what a start may evaluate before the first request (docs/adr/0009). */
const AT_START = 184 * 1024
/** What is loaded by the first request, message or cron run that needs it: all but the Durable Objects' classes. */
const LAZY = /^src\/(modules|pages|jobs)\/(?!.*\.do\.ts$)/

/** What the alias in wrangler.toml keeps out. */
const LANGUAGES = /zod\/v4\/locales\/(?!en\.)/

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`

/**
 * What the bundler tells. A start evaluates everything that the entry point imports, directly or not, by anything but
 * `import()`.
 */
function account({ inputs, outputs }: Metafile) {
  const [output] = Object.values(outputs).filter(({ entryPoint }) => entryPoint)
  const entry = output?.entryPoint ?? ""
  /** Each file with the way that leads to it. */
  const ways = new Map([[entry, [entry]]])
  for (const [file, way] of ways)
    for (const { path, kind, external } of inputs[file]?.imports ?? [])
      if (!external && kind !== "dynamic-import" && !ways.has(path)) ways.set(path, [...way, path])
  const size = [...ways.keys()].reduce((sum, file) => sum + (output?.inputs[file]?.bytesInOutput ?? 0), 0)
  const languages = Object.keys(output?.inputs ?? {}).filter((file) => LANGUAGES.test(file)).length
  return { size, languages, tooEarly: [...ways].filter(([file]) => LAZY.test(file)).map(([, way]) => way.join(" → ")) }
}

const out = mkdtempSync(join(tmpdir(), "lectern-bundle-"))
const metafile = join(out, "metafile.json")
const built = wrangler(["deploy", "--dry-run", "--env", "production", "--outdir", out, "--metafile", metafile])
const modules = built.status === 0 ? readdirSync(out).filter((name) => !/\.(map|md|json)$/.test(name)) : []
const size = modules.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name))).length, 0)
const start = account(built.status === 0 ? JSON.parse(readFileSync(metafile, "utf8")) : { inputs: {}, outputs: {} })
rmSync(out, { recursive: true })

const problems = [
  ...(built.status === 0 ? [] : [`wrangler deploy --dry-run failed:\n${built.stdout}${built.stderr}`]),
  ...(size <= LIMIT ? [] : [`The bundle is larger than ${kib(LIMIT)} gzipped.`]),
  ...(start.size <= AT_START ? [] : [`A start evaluates more than ${kib(AT_START)}: load some of it by import().`]),
  ...start.tooEarly.map((way) => `Evaluated at every start, and to be loaded by import() when it is needed: ${way}`),
  ...(start.languages === 0
    ? []
    : ["zod's languages are in the bundle: its index is imported otherwise than the alias in wrangler.toml says."]),
  ...(/env\.ACCESS_POLICY \("enforced"\)/.test(built.stdout)
    ? []
    : ["The production environment does not set ACCESS_POLICY to enforced."]),
]
console.info(`Bundle: ${kib(size)} gzipped of ${kib(LIMIT)}. A start evaluates ${kib(start.size)} of ${kib(AT_START)}.`)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)
