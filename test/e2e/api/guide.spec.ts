import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/lib/state.ts"
import { expect, test } from "../fixtures.ts"
import { requireTools } from "../support/tools.ts"

const SEPARATOR = "-- the next block --"

/** Without digits: ids differ, and how much the learner did before. */
const withoutNumbers = (text: string) => text.replace(/[\s\d]/g, "")

for (const name of ["getting-started", "taking-a-course"])
  test(`the commands of docs/api/${name}.md print what the guide shows`, async ({ service }) => {
    requireTools({ curl: "curl", jq: "jq" })
    const [, version = ""] = /^curl (\S+)/.exec(execFileSync("curl", ["--version"], { encoding: "utf8" })) ?? []
    const [major = 0, minor = 0] = version.split(".").map(Number)
    expect(major * 100 + minor, `curl ${version} is older than 7.82`).toBeGreaterThanOrEqual(782)

    const guide = readFileSync(join(root, `docs/api/${name}.md`), "utf8")
    const blocks = [...guide.matchAll(/^```sh\n(.*?)^```\n(?:```json\n(.*?)^```\n)?/gms)].map(
      ([, commands = "", printed]) => ({ commands, printed }),
    )
    expect(blocks.length).toBeGreaterThan(4)
    const script = ["set -euo pipefail", ...blocks.map(({ commands }) => `${commands}echo '${SEPARATOR}'`)].join("\n")
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], {
      encoding: "utf8",
      env: { ...process.env, BASE_URL: service.url },
    })
    const outputs = stdout.split(SEPARATOR)
    expect(status, `block ${outputs.length}:\n${blocks[outputs.length - 1]?.commands}${stderr}`).toBe(0)
    for (const [at, { commands, printed }] of blocks.entries())
      if (printed !== undefined) expect.soft(withoutNumbers(outputs[at] ?? ""), commands).toBe(withoutNumbers(printed))
  })
