// npm test runs everything that a change must pass. With arguments, it runs Vitest with these: files, or -t <name>.
import { runStep, runSteps, TESTS, VITEST } from "./lib/steps.ts"

const args = process.argv.slice(2)
if (args.length === 0) runSteps(TESTS)
else process.exitCode = runStep({ name: "vitest", run: [...VITEST, ...args] }).passed ? 0 : 1
