import { fail, flags } from "../lib/cli.ts"
import { runStep } from "../lib/steps.ts"
import { buildClient, writeClientTypes } from "./client.ts"
import { outdated, write } from "./generated.ts"
import { routes } from "./routes.ts"

const values = flags("npm run generate", "Writes all generated files: routes and types.", {
  check: { type: "boolean", default: false, about: "only fails where a committed file is outdated" },
  client: { type: "boolean", default: false, about: "also builds the package in src/client" },
})

const BINDINGS = ["types", "src/env.generated.d.ts", "--include-runtime=false", "--strict-vars=false"]

// They are not committed, so they cannot be outdated.
await writeClientTypes()
const bindings = await runStep({
  name: "types of the bindings",
  run: ["wrangler", ...BINDINGS, ...(values.check ? ["--check"] : [])],
})
if (!bindings.passed) fail(`${bindings.output}\nRun: npm run generate`)
const files = [await routes()]
if (values.check) {
  const paths = outdated(files)
  if (paths.length > 0) fail(`${paths.join(", ")}: outdated. Run: npm run generate`)
} else {
  write(files)
}
if (values.client) await buildClient()
