import { spawn } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { memoryFolder } from "./memory-folder.ts"
import { root } from "./state.ts"

export interface Step {
  name: string
  /** A tool of the packages or a script of this repository, with its arguments. */
  run: readonly string[]
  env?: Record<string, string>
  /** Shows its output while it runs, not when it ends. */
  live?: true
}

const tool = (name: string) => join(root, "node_modules/.bin", name)

/** A step that runs a script of this repository. */
export const script = (name: string, path: string, ...args: string[]): Step => ({
  name,
  run: ["node", "--disable-warning=ExperimentalWarning", path, ...args],
})

/** Runs a step. @returns its output, unless it was live */
export async function runStep({ run: [program = "", ...args], env, live }: Step, signal?: AbortSignal) {
  const began = Date.now()
  const stdio = live ? "inherit" : "pipe"
  const child = spawn(tool(program), args, {
    cwd: root,
    env: { ...process.env, ...env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
    stdio: ["inherit", stdio, stdio],
    shell: process.platform === "win32",
    ...(signal && { signal }),
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text))
  const passed = await new Promise<boolean>((resolve) => {
    child.once("error", (error) => {
      output += `${error.message}\n`
      resolve(false)
    })
    child.once("close", (status) => resolve(status === 0))
  })
  return { passed, seconds: Math.round((Date.now() - began) / 1000), output }
}

/** Runs the steps of a group, two at a time. */
export async function runGroup(group: readonly Step[], run: (step: Step) => Promise<void>) {
  const waiting = [...group]
  const runWaiting = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await run(step)
  }
  await Promise.all([runWaiting(), runWaiting()])
}

/** Runs groups of steps one after the other. The first failure ends all. */
export async function runSteps(groups: readonly (readonly Step[])[]) {
  const failure = new AbortController()
  for (const group of groups) {
    await runGroup(group, async (step) => {
      if (failure.signal.aborted) return
      const { passed, seconds, output } = await runStep(step, failure.signal)
      if (failure.signal.aborted) return
      process.stdout.write(output)
      console.info(`${step.name} ${passed ? "passed" : "failed"} (${seconds} s).`)
      if (!passed) failure.abort()
    })
    if (failure.signal.aborted) process.exit(1)
  }
}

/** One checker: with its default of four, tsc checks shared types four times, which two cores do not make up for. */
const tsc = (project: string): Step => ({
  name: `types of ${project}`,
  run: ["tsc", "-p", project, "--checkers", "1"],
})

const CSPELL_CACHE = "node_modules/.cache/cspell"

/** What is checked first, and generates the types that the other checks read. */
const FIRST_CHECKS: readonly Step[] = [
  { name: "format and lint", run: ["biome", "ci", "--colors=off", "."] },
  script("generated files", "scripts/generate/index.ts", "--check"),
  script("lock files", "scripts/check-lock.ts"),
]

const OTHER_CHECKS: readonly Step[] = [
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

/** Format, lint, generated files, types and unused code. */
export const CHECKS = [FIRST_CHECKS, OTHER_CHECKS]

/** Builds the static assets, as wrangler does before each build. */
export const ASSETS: readonly Step[] = ["assets", "console"].map((name) => script(name, `scripts/${name}.ts`))

const nodeTests = globSync("test/scripts/*.test.ts", { cwd: root })
const needsAccount = (path: string) => path.endsWith(".cloudflare.test.ts")
const memory = memoryFolder()
const IN_MEMORY = memory === undefined ? {} : { TMPDIR: memory }
const NODE_TEST = ["node", "--disable-warning=ExperimentalWarning", "--test"]

/** The tests inside workerd. */
export const VITEST = [
  ...["vitest", "run", "--config", "test/vitest.config.ts"],
  ...["--reporter=default", "--reporter=./test/summary.ts"],
]

/** Everything that a change must pass. */
export const TESTS: readonly (readonly Step[])[] = [
  [...FIRST_CHECKS, ...ASSETS],
  // Alone, because it measures CPU.
  [script("bundle", "scripts/check-bundle.ts")],
  [
    { name: "tests in workerd", run: VITEST, live: true },
    ...OTHER_CHECKS,
    script("migrations", "scripts/generate/migrations.ts", "--check"),
    {
      name: "scripts",
      run: [...NODE_TEST, "--test-concurrency=2", ...nodeTests.filter((path) => !needsAccount(path))],
      env: IN_MEMORY,
    },
  ],
]

/** Deployments to a stand-in of Cloudflare's API. */
export const DEPLOY_TESTS = [...NODE_TEST, "--test-concurrency=1", ...nodeTests.filter(needsAccount)]
