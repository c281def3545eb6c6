import { flags } from "./lib/cli.ts"
import { CHECKS, runSteps } from "./lib/steps.ts"

flags("npm run check", "Checks format, lint, generated files, types and unused code.", {})
await runSteps(CHECKS)
