// npm run test:all: every check that there is, one after the other. It starts the services that they need, and fails
// where one fails or is not run. What the browser and tool checks need on Debian:
// apt-get install chromium curl jq oathtool poppler-utils unzip zbar-tools
import { spawn, spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fail, flags } from "./lib/flags.ts"
import { asFlags, startService } from "./lib/servers.ts"
import { root } from "./lib/state.ts"

const values = flags("npm run test:all", "Runs every check, with the services and tools that they need.", {
  only: { type: "string", value: "words", default: "", about: "only checks whose name has one of these, with commas" },
  data: { type: "string", value: "folder", default: "", about: "also those of a large academy: see bench/README.md" },
})

/** The origin from which check:browser calls the service. */
const OTHER_ORIGIN = "http://localhost:8790"

/** An npm script with its flags. */
type Check = readonly [script: string, ...flags: string[]]

/** They start what they need. */
const ALONE: Check[] = [
  ["test"],
  ["verify:openapi"],
  ["check:two-factor"],
  ["jobs"],
  ["check:backup"],
  ["check:deploy"],
  ["check:webhooks"],
  ["check:console"],
  ["faults"],
  ["soak", "--minutes", "1"],
  ["growth"],
  ["cost", "--learners", "4"],
]

/** They call a service with the sample academy, all of them the same one. */
const BESIDE_SERVICE: Check[] = [
  ["check:guide"],
  ["check:client"],
  ["check:course"],
  ["check:oauth"],
  ["check:certificates"],
  ["check:scorm"],
  ["check:browser"],
  ["check:exploits"],
  ["check:first-hour"],
  ["check:sso"],
]

/** They call a service with a large academy, whose dataset is not part of the repository. */
const BESIDE_ACADEMY: Check[] = values.data ? [["academy", "--data", resolve(values.data)], ["check:console-data"]] : []

/** It runs the tests of the last release, if there is one, on the migrations of this commit. */
const describe = ["describe", "--tags", "--abbrev=0"]
const BESIDE_RELEASE: Check[] = spawnSync("git", describe, { cwd: root }).status === 0 ? [["check:versions"]] : []

const SERVICE_VARS = { RATE_LIMIT: "1000000", ALLOWED_ORIGINS: OTHER_ORIGIN, OUTBOUND_PRIVATE: "allow" }

interface Outcome {
  name: string
  seconds: number
  result: "passed" | "FAILED" | "NOT RUN"
}

const outcomes: Outcome[] = []
const folder = mkdtempSync(join(tmpdir(), "lectern-all-"))
const words = values.only.split(",").filter(Boolean)
const isWanted = ([script]: Check) => words.length === 0 || words.some((word) => script.includes(word))

/** Runs a check. What it prints is shown where it does not pass. */
async function run([script, ...given]: Check, env: Record<string, string> = {}) {
  const name = [script, ...given].join(" ")
  const log = join(folder, "output.txt")
  const output = openSync(log, "w")
  const began = Date.now()
  const child = spawn("npm", ["run", "--silent", script, "--", ...given], {
    cwd: root,
    // npm test plays a part of the large matrices, unless it is asked for all of them (test/matrix/matrix.ts).
    env: { ...process.env, TEST_MATRIX: "all", ...env },
    stdio: ["ignore", output, output],
    shell: process.platform === "win32",
  })
  const code = await new Promise<number>((resolve) => child.once("exit", (status) => resolve(status ?? 1)))
  closeSync(output)
  // Scripts exit with 2 where something that they need is missing.
  const result = code === 0 ? "passed" : code === 2 ? "NOT RUN" : "FAILED"
  const outcome: Outcome = { name, seconds: Math.round((Date.now() - began) / 1000), result }
  outcomes.push(outcome)
  console.info(`${result.padEnd(8)} ${name} (${outcome.seconds} s)`)
  if (code !== 0) console.info(readFileSync(log, "utf8").slice(-20_000))
}

/** Runs checks beside a service of their own. */
async function runBeside(checks: Check[], name: string) {
  const wanted = checks.filter(isWanted)
  if (wanted.length === 0) return
  const service = await startService(join(folder, name), asFlags(SERVICE_VARS))
  try {
    for (const check of wanted)
      await run(check, { BASE_URL: service.url, STATE_DIR: join(folder, name), ALLOWED_ORIGIN: OTHER_ORIGIN })
  } finally {
    await service.stop()
  }
}

try {
  for (const check of [...ALONE, ...BESIDE_RELEASE].filter(isWanted)) await run(check)
  await runBeside(BESIDE_SERVICE, "sample")
  await runBeside(BESIDE_ACADEMY, "academy")
} finally {
  rmSync(folder, { recursive: true, force: true })
}

if (outcomes.length === 0) fail(`No check has one of these in its name: ${values.only}`)
const passed = outcomes.filter(({ result }) => result === "passed").length
console.info(`${passed} passed, ${outcomes.length - passed} failed`)
process.exit(passed === outcomes.length ? 0 : 1)
