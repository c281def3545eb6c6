// npm run test:all runs everything, also after a failure, and prints a summary. On Debian, the end-to-end tests need:
// apt-get install chromium curl jq oathtool poppler-utils unzip zbar-tools
import { spawnSync } from "node:child_process"
import { fail, flags } from "./lib/cli.ts"
import { root } from "./lib/state.ts"
import { DEPLOY_TESTS, runStep, type Step, script, TESTS } from "./lib/steps.ts"

const values = flags("npm run test:all", "Runs every test and check, each with what it needs, and prints a summary.", {
  only: { type: "string", value: "words", default: "", about: "only steps whose name contains one of these words" },
})

const e2e = (area: string): Step => ({
  name: `e2e ${area}`,
  run: ["playwright", "test", "--config", "test/e2e/playwright.config.ts", `e2e/${area}/`],
})

const hasRelease = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root }).status === 0

const STEPS: readonly Step[] = [
  ...TESTS.flat().map(({ live: _, ...step }) => ({ ...step, env: { TEST_MATRIX: "all" } })),
  {
    name: "changes that are forwarded",
    run: ["vitest", "run", "--config", "test/vitest.config.ts"],
    env: { TEST_FORWARD: "on" },
  },
  { name: "deploy", run: DEPLOY_TESTS },
  ...["api", "browser", "console", "operations"].map(e2e),
  ...(process.env.ACADEMY_DATA ? [e2e("academy")] : []),
  script("openapi", "scripts/verify-openapi.ts"),
  script("mcp", "scripts/verify-mcp.ts"),
  script("lanes", "scripts/lanes.ts"),
  script("media", "scripts/verify-media.ts"),
  script("mirror", "scripts/mirror/index.ts", "--acts", "500"),
  script("faults", "scripts/faults.ts"),
  script("quizzes", "scripts/quizzes.ts"),
  script("soak", "scripts/soak.ts", "--minutes", "1"),
  { name: "growth", run: ["vitest", "run", "--config", "bench/growth/vitest.config.ts"] },
  script("jobs", "bench/jobs.ts"),
  script("cost", "bench/cost.ts", "--learners", "4"),
  script("versions", "scripts/check-versions.ts"),
]

const words = values.only.split(",").filter(Boolean)
const steps = STEPS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (steps.length === 0) fail(`No step has one of these words in its name: ${values.only}`)

const outcomes: { passed: boolean; seconds: number; line: string }[] = []
for (const step of steps) {
  if (step.name === "versions" && !hasRelease) {
    const line = "skipped          versions: there is no tag of an earlier version"
    console.info(line)
    outcomes.push({ passed: true, seconds: 0, line })
    continue
  }
  const { passed, seconds, output } = await runStep(step)
  const line = `${passed ? "passed" : "FAILED"}  ${String(seconds).padStart(5)} s  ${step.name}`
  console.info(line)
  if (!passed) console.info(output.slice(-20_000))
  outcomes.push({ passed, seconds, line })
}
const failed = outcomes.filter(({ passed }) => !passed).length
const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0)
console.info(["", ...outcomes.map(({ line }) => line)].join("\n"))
const skipped = outcomes.filter(({ line }) => line.startsWith("skipped")).length
console.info(`${outcomes.length - failed - skipped} passed, ${failed} failed, ${skipped} skipped, ${total} s`)
process.exitCode = failed === 0 ? 0 : 1
