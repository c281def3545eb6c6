import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { root } from "./state.ts"

export interface Step {
  name: string
  /** A tool of the packages or a script of this repository, with its arguments. */
  run: readonly string[]
  env?: Record<string, string>
}

const tool = (name: string) => join(root, "node_modules/.bin", name)

/** A step that runs a script of this repository. */
export const script = (name: string, path: string, ...args: string[]): Step => ({
  name,
  run: ["node", "--disable-warning=ExperimentalWarning", path, ...args],
})

export function runStep({ run: [program = "", ...args], env }: Step, stdio: "inherit" | "pipe" = "inherit") {
  const began = Date.now()
  const { status, stdout, stderr } = spawnSync(tool(program), args, {
    cwd: root,
    env: { ...process.env, ...env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    stdio,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    shell: process.platform === "win32",
  })
  return { passed: status === 0, seconds: Math.round((Date.now() - began) / 1000), output: `${stdout}${stderr}` }
}

/** Runs steps until one fails. */
export function runSteps(steps: readonly Step[]) {
  for (const step of steps) {
    const { passed, seconds } = runStep(step)
    if (!passed) {
      console.error(`${step.name} failed (${seconds} s).`)
      process.exit(1)
    }
    console.info(`${step.name} passed (${seconds} s).`)
  }
}

const tsc = (project: string): Step => ({ name: `types of ${project}`, run: ["tsc", "-p", project] })

const CSPELL_CACHE = "node_modules/.cache/cspell"

/** Format, lint, generated files, types and unused code. */
export const CHECKS: readonly Step[] = [
  { name: "format and lint", run: ["biome", "ci", "."] },
  script("lock files", "scripts/check-lock.ts"),
  script("generated files", "scripts/generate/index.ts", "--check"),
  tsc("."),
  tsc("src/console"),
  tsc("test/e2e"),
  { name: "unused code", run: ["knip"] },
  {
    name: "spelling",
    run: [
      "cspell",
      "lint",
      "--no-progress",
      "--cache",
      "--cache-strategy",
      "content",
      "--cache-location",
      CSPELL_CACHE,
    ],
  },
]

const nodeTests = globSync("test/scripts/*.test.ts", { cwd: root })
const needsAccount = (path: string) => path.endsWith(".cloudflare.test.ts")
const NODE_TEST = ["node", "--disable-warning=ExperimentalWarning", "--test"]

/** The tests inside workerd. */
export const VITEST = [
  ...["vitest", "run", "--config", "test/vitest.config.ts"],
  ...["--reporter=default", "--reporter=./test/summary.ts"],
]

/** Everything that a change must pass. */
export const TESTS: readonly Step[] = [
  ...CHECKS,
  script("migrations", "scripts/generate/migrations.ts", "--check"),
  { name: "scripts", run: [...NODE_TEST, "--test-concurrency=2", ...nodeTests.filter((path) => !needsAccount(path))] },
  script("bundle", "scripts/check-bundle.ts"),
  { name: "tests in workerd", run: VITEST },
]

/** Deployments to a stand-in of Cloudflare's API. */
export const DEPLOY_TESTS = [...NODE_TEST, "--test-concurrency=1", ...nodeTests.filter(needsAccount)]
