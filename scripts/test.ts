// npm test runs everything that a change must pass. With arguments, it runs Vitest with these: files, or -t <name>.
import { ASSETS, runSteps, TESTS, VITEST } from "./lib/steps.ts"

const args = process.argv.slice(2)
const vitest = { name: "vitest", run: [...VITEST, ...args], live: true } as const
await runSteps(args.length === 0 ? TESTS : [ASSETS, [vitest]])
