// Builds the deployment without deploying it, and checks its size, the CPU of its start and that it enforces sessions.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Metafile } from "esbuild"
import { wrangler } from "./lib/wrangler.ts"

/** Bytes, gzipped. Cloudflare allows 3 MB on the free plan. */
const MAX_SIZE = 1_500_000
/** Milliseconds of CPU. Cloudflare allows 1,000. */
const MAX_START_CPU = 100
const START_RUNS = 7
/** Files that the first request, message or cron run loads by `import()`: all but the Durable Objects' classes. */
const LAZY = /^src\/(modules|pages|worker)\/(?!webhook-queue\.ts$)/
/**
 * How many files the start evaluates, and the first request of often used routers beyond that. Each costs the first
 * users of an isolate CPU: raise a number only for a file that the requests need.
 */
const MAX_EVALUATED: Record<string, number> = {
  start: 208,
  "src/modules/users/users.routes.ts": 162,
  "src/modules/courses/courses.routes.ts": 153,
  "src/modules/courses/modules.routes.ts": 147,
  "src/modules/enrollments/enrollments.routes.ts": 179,
  "src/modules/enrollments/progress.routes.ts": 124,
  "src/modules/home/home.routes.tsx": 128,
  "src/modules/reports/reports.routes.ts": 169,
  "src/modules/gamification/badges.routes.ts": 108,
  "src/modules/audit/audit.routes.ts": 102,
}
/** Messages of zod that the alias in wrangler.toml excludes. */
const LANGUAGES = /zod\/v4\/locales\/(?!en\.)/

/**
 * Evaluates the bundle in a fresh process, and prints the milliseconds of CPU. Node has the same engine as Workers;
 * modules that only Workers have are replaced.
 */
const MEASURE_START = `
import { registerHooks } from "node:module"

const classes = "export class DurableObject {} export class WorkerEntrypoint {}"
const runtime = classes + " export const [env, tracing, waitUntil] = []"
const stub = (source) => ({ format: "module", source, shortCircuit: true })
registerHooks({
  resolve: (name, context, next) =>
    name.startsWith("cloudflare:") ? { url: name, format: "module", shortCircuit: true } : next(name, context),
  load: (url, context, next) => {
    if (url.startsWith("cloudflare:")) return stub(runtime)
    return url.endsWith(".wasm") ? stub("export default {}") : next(url, context)
  },
})
const before = process.threadCpuUsage()
await import("./index.mjs").catch((error) => {
  console.error(String(error))
  process.exit(1)
})
const { user, system } = process.threadCpuUsage(before)
console.info((user + system) / 1000)
`

/** Returns the lowest of several runs, because other processes can only add to it. */
function measureStart(folder: string): number {
  writeFileSync(join(folder, "index.mjs"), readFileSync(join(folder, "index.js")))
  writeFileSync(join(folder, "measure-start.mjs"), MEASURE_START)
  const run = () => {
    const { stdout } = spawnSync(process.execPath, [join(folder, "measure-start.mjs")], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    })
    return Number(stdout) || Number.POSITIVE_INFINITY
  }
  return Math.min(...Array.from({ length: START_RUNS }, run))
}

/** The files that evaluating a file evaluates, each with the chain of static imports that leads to it. */
function evaluatedFiles(inputs: Metafile["inputs"], entry: string): Map<string, string[]> {
  const chains = new Map([[entry, [entry]]])
  for (const [file, chain] of chains)
    for (const { path, kind, external } of inputs[file]?.imports ?? [])
      if (!external && kind !== "dynamic-import" && !chains.has(path)) chains.set(path, [...chain, path])
  return chains
}

/**
 * Returns the languages of zod in the bundle, the chains of static imports that load lazy files at the start, and how
 * many files each entry of `MAX_EVALUATED` evaluates.
 */
function readMetafile({ inputs, outputs }: Metafile) {
  const [output] = Object.values(outputs).filter(({ entryPoint }) => entryPoint)
  const entry = output?.entryPoint ?? ""
  const chains = evaluatedFiles(inputs, entry)
  const evaluated = Object.keys(MAX_EVALUATED).map((file) => {
    if (file === "start") return { file, count: chains.size }
    if (!inputs[file]) throw new Error(`The bundle has no ${file}, which MAX_EVALUATED names.`)
    return { file, count: [...evaluatedFiles(inputs, file).keys()].filter((path) => !chains.has(path)).length }
  })
  const languages = Object.keys(output?.inputs ?? {}).filter((file) => LANGUAGES.test(file)).length
  return {
    languages,
    evaluated,
    tooEarly: [...chains].filter(([file]) => LAZY.test(file)).map(([, chain]) => chain.join(" → ")),
  }
}

const out = mkdtempSync(join(tmpdir(), "lectern-bundle-"))
const metafile = join(out, "metafile.json")
const { status, stdout, stderr } = wrangler([
  "deploy",
  "--dry-run",
  ...["--env", "production", "--outdir", out, "--metafile", metafile],
])
if (status !== 0) {
  console.error(`wrangler deploy --dry-run failed:\n${stdout}${stderr}`)
  process.exit(1)
}
const modules = readdirSync(out).filter((name) => !/\.(map|md|json)$/.test(name))
const size = modules.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name))).length, 0)
const { languages, evaluated, tooEarly } = readMetafile(JSON.parse(readFileSync(metafile, "utf8")))
const startCpu = measureStart(out)
rmSync(out, { recursive: true })

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`
const problems = [
  ...(size <= MAX_SIZE ? [] : [`The bundle is larger than ${kilobytes(MAX_SIZE)} gzipped.`]),
  ...(startCpu <= MAX_START_CPU ? [] : [`The start takes more than ${MAX_START_CPU} ms of CPU.`]),
  ...tooEarly.map((chain) => `A start evaluates a file that import() should load on demand: ${chain}`),
  ...evaluated.flatMap(({ file, count }) =>
    count <= (MAX_EVALUATED[file] ?? 0)
      ? []
      : [`${file} evaluates ${count} files, more than the ${MAX_EVALUATED[file]} of MAX_EVALUATED in this script.`],
  ),
  ...(languages === 0
    ? []
    : ["The bundle has zod's languages: the alias in wrangler.toml does not match its imports."]),
  ...(/env\.ACCESS_POLICY \("enforced"\)/.test(stdout)
    ? []
    : ["The production environment does not set ACCESS_POLICY to enforced."]),
]
console.info(
  `Bundle: ${kilobytes(size)} gzipped of ${kilobytes(MAX_SIZE)}. ` +
    `Start: ${startCpu.toFixed(0)} ms of CPU of ${MAX_START_CPU} ms.`,
)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)
