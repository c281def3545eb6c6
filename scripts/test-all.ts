// npm run test:all runs everything, also after a failure, and prints a summary. On Debian, the end-to-end tests need:
// apt-get install chromium curl jq oathtool poppler-utils unzip zbar-tools
import { spawnSync } from "node:child_process"
import { fail, flags } from "./lib/cli.ts"
import { root } from "./lib/state.ts"
import { DEPLOY_TESTS, runGroup, runStep, type Step, script, TESTS } from "./lib/steps.ts"

const values = flags("npm run test:all", "Runs every test and check, each with what it needs, and prints a summary.", {
  only: { type: "string", value: "words", default: "", about: "only steps whose name contains one of these words" },
})

const e2e = (area: string): Step => ({
  name: `e2e ${area}`,
  run: ["playwright", "test", "--config", "test/e2e/playwright.config.ts", `e2e/${area}/`],
})

const hasRelease = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root }).status === 0

/** The parts, with their groups of steps. Steps that measure time are alone. */
const PARTS: Record<string, readonly (readonly Step[])[]> = {
  tests: [
    ...TESTS.map((group) =>
      group.map(({ live: _, ...step }) => ({ ...step, env: { ...step.env, TEST_MATRIX: "all" } })),
    ),
    [
      {
        name: "changes that are forwarded",
        run: ["vitest", "run", "--config", "test/vitest.config.ts", "test/matrix", "test/platform", "test/auth"],
        env: { TEST_FORWARD: "on" },
      },
    ],
    [
      // More members than one batch may write rows.
      script("bounds", "scripts/bounds.ts", "--members", "6000"),
      { name: "growth", run: ["vitest", "run", "--config", "bench/growth/vitest.config.ts"] },
    ],
  ],
  programs: [
    [
      script("mirror", "scripts/mirror/index.ts", "--acts", "500"),
      script("faults", "scripts/faults.ts"),
      script("compliance", "scripts/compliance/index.ts", "--people", "20"),
      script("quizzes", "scripts/quizzes.ts"),
      script("media", "scripts/verify-media.ts"),
      script("cost", "bench/cost.ts", "--learners", "4"),
    ],
    [script("lanes", "scripts/lanes.ts")],
    [script("jobs", "bench/jobs.ts")],
    [script("soak", "scripts/soak.ts", "--minutes", "1")],
  ],
  "browser and tools": [
    ...["api", "browser", "console", "operations", "academy"].map((area) => [e2e(area)]),
    [
      script("openapi", "scripts/verify-openapi.ts"),
      script("mcp", "scripts/verify-mcp.ts"),
      { name: "deploy", run: DEPLOY_TESTS },
      ...(hasRelease
        ? [script("versions", "scripts/check-versions.ts"), script("entries", "scripts/check-entries.ts")]
        : []),
    ],
  ],
}

const words = values.only.split(",").filter(Boolean)
const isChosen = ({ name }: Step) => words.length === 0 || words.some((word) => name.includes(word))

const lines: string[] = []
let failed = 0
for (const [part, groups] of Object.entries(PARTS)) {
  const chosen = groups.map((group) => group.filter(isChosen)).filter(({ length }) => length > 0)
  if (chosen.length === 0) continue
  const began = Date.now()
  for (const group of chosen)
    await runGroup(group, async (step) => {
      const { passed, seconds, output } = await runStep(step)
      const line = `${passed ? "passed" : "FAILED"}  ${String(seconds).padStart(5)} s  ${step.name}`
      console.info(line)
      if (!passed) console.info(output.slice(-20_000))
      if (!passed) failed++
      lines.push(line)
    })
  lines.push(`${part}: ${Math.round((Date.now() - began) / 1000)} s`)
}
if (lines.length === 0) fail(`No step has one of these words in its name: ${values.only}`)
console.info(["", ...lines].join("\n"))
if (!hasRelease) console.info("versions and entries were left out: there is no tag of an earlier version.")
console.info(failed === 0 ? "Everything passed." : `${failed} failed.`)
process.exitCode = failed === 0 ? 0 : 1
