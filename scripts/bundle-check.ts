// Builds the deployment without deploying it: it must build, be small, and let no stranger in.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { wrangler } from "./wrangler.ts"

/** Bytes, gzipped: what a Worker may weigh here. */
const LIMIT = 1024 * 1024

const out = mkdtempSync(join(tmpdir(), "lectern-bundle-"))
const built = wrangler(["deploy", "--dry-run", "--env", "production", "--outdir", out])
const modules = built.status === 0 ? readdirSync(out).filter((name) => !/\.(map|md)$/.test(name)) : []
const size = modules.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name))).length, 0)
rmSync(out, { recursive: true })

const problems = [
  ...(built.status === 0 ? [] : [`wrangler deploy --dry-run failed:\n${built.stdout}${built.stderr}`]),
  ...(size <= LIMIT ? [] : [`The bundle is larger than ${LIMIT / 1024} KiB gzipped.`]),
  ...(/env\.ACCESS_POLICY \("enforced"\)/.test(built.stdout)
    ? []
    : ["The production environment does not set ACCESS_POLICY to enforced."]),
]
console.info(`Bundle: ${(size / 1024).toFixed(0)} KiB gzipped of ${LIMIT / 1024}.`)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)
