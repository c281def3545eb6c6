// Runs the commands of docs/taking-a-course.md against a running service (npm start; BASE_URL says where), and holds what they
// print against what the guide says they do. Numbers may differ: ids, and how much the learner did before.
// Needs curl and jq. On Debian: apt-get install curl jq
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const guide = readFileSync(join(import.meta.dirname, "../docs/taking-a-course.md"), "utf8")
const MARK = "-- the next block --"

/** Each block of commands, and what it prints where the guide says. */
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```\n(?:```json\n(.*?)^```\n)?/gms)].map(
  ([, commands = "", printed]) => ({ commands, printed }),
)
const script = ["set -euo pipefail", ...blocks.map(({ commands }) => `${commands}echo '${MARK}'`)].join("\n")
const outputs = execFileSync("bash", ["-c", script], { encoding: "utf8" }).split(MARK)

const essence = (text: string) => text.replace(/[\s\d]/g, "")
const failures = blocks.flatMap(({ printed }, i) =>
  printed === undefined || essence(outputs[i] ?? "") === essence(printed)
    ? []
    : [`The guide says\n${printed}but it is\n${outputs[i]?.trim()}`],
)
if (failures.length > 0) {
  console.error(failures.join("\n\n"))
  process.exit(1)
}
console.info(`All ${blocks.length} blocks of the guide do what it says.`)
