// npm run examples: calls every operation of a fresh sample academy, and writes down what is sent and answered, for
// /openapi.json to show.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fail, flags } from "./lib/flags.ts"
import { root } from "./lib/state.ts"
import { ownAcademy } from "./openapi/academy.ts"
import { callAll } from "./openapi/calls.ts"
import { type Document, Driver } from "./openapi/driver.ts"
import { examplesOf } from "./openapi/examples.ts"

flags("npm run examples", "Calls every operation of a sample academy of its own, and writes the examples of /docs.", {})

const target = join(root, "src/http/examples.generated.json")
const academy = await ownAcademy()
try {
  const document = (await (await fetch(`${academy.url}/openapi.json`)).json()) as Document
  const driver = new Driver(academy.url, document)
  await callAll(driver, academy)
  const { failures, missing } = driver
  for (const failure of failures) console.error(failure)
  if (missing.length > 0) console.error(`Not called (scripts/openapi/calls.ts): ${missing.join(", ")}`)
  const examples = examplesOf(driver.said, academy.url)
  writeFileSync(target, `${JSON.stringify(examples, null, 1)}\n`)
  console.info(`${Object.keys(examples).length} operations have examples.`)
  if (failures.length + missing.length > 0) process.exitCode = 1
} catch (error) {
  fail(String(error))
} finally {
  await academy.stop()
}
