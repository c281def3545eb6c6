// Runs the commands of docs/api/taking-a-course.md against a running service (npm start; BASE_URL) and compares their
// output with the guide. Numbers may differ: IDs, and what the learner did before.
// Needs curl and jq. On Debian: apt-get install curl jq
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fail, flags, notRun } from "./lib/flags.ts"
import { requireService, requireTools } from "./tools.ts"

flags(
  "npm run check:guide",
  "Runs the commands of docs/api/taking-a-course.md and compares their output with the guide.",
  {},
  { BASE_URL: "where the service is (http://localhost:8787 unless set)" },
)
requireTools({ curl: "curl", jq: "jq" })
const [, version = ""] = /^curl (\S+)/.exec(execFileSync("curl", ["--version"], { encoding: "utf8" })) ?? []
const [major = 0, minor = 0] = version.split(".").map(Number)
if (major < 7 || (major === 7 && minor < 82)) notRun(`curl is ${version}; the guide needs 7.82 or later.`)
await requireService(process.env.BASE_URL || "http://localhost:8787")

const guide = readFileSync(join(import.meta.dirname, "../docs/api/taking-a-course.md"), "utf8")
const MARK = "-- the next block --"

/** Each block of commands, with the output that the guide shows. */
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```\n(?:```json\n(.*?)^```\n)?/gms)].map(
  ([, commands = "", printed]) => ({ commands, printed }),
)
const script = ["set -euo pipefail", ...blocks.map(({ commands }) => `${commands}echo '${MARK}'`)].join("\n")
const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" })
const outputs = stdout.split(MARK)
if (status !== 0)
  fail(`Block ${outputs.length} of the guide ended with ${status}:\n${blocks[outputs.length - 1]?.commands}${stderr}`)

const essence = (text: string) => text.replace(/[\s\d]/g, "")
const failures = blocks.flatMap(({ printed }, i) =>
  printed === undefined || essence(outputs[i] ?? "") === essence(printed)
    ? []
    : [`The guide says\n${printed}but it is\n${outputs[i]?.trim()}`],
)
if (failures.length > 0) fail(failures.join("\n\n"))
console.info(`All ${blocks.length} blocks of the guide print what it shows.`)
