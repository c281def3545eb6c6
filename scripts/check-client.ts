// Does what README.md tells a developer to do (npm start; BASE_URL says where): builds the client, makes a program
// beside the clone, whose types hold, and which creates an order. A program with a mistake must not pass.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fail, flags } from "./lib/flags.ts"
import { root } from "./lib/state.ts"
import { requireService } from "./tools.ts"

flags(
  "npm run check:client",
  "Does what README.md says of the client: builds it, and runs a typed program that creates an order.",
  {},
  { BASE_URL: "where the service is (http://localhost:8787 unless set)" },
)
const url = process.env.BASE_URL || "http://localhost:8787"
await requireService(url)

const readme = readFileSync(join(root, "README.md"), "utf8")
const [, commands, program] =
  /## Use it from your app\n.*?^```sh\n(.*?)^```\n.*?^```ts\n(.*?)^```\n/ms.exec(readme) ??
  fail("README.md has no commands and no program under “Use it from your app”.")
if (!commands || !program) fail("README.md shows no program.")

const folder = mkdtempSync(join(tmpdir(), "lectern-client-"))
const shop = join(folder, "shop")
const clone = (text: string) => text.replaceAll("../lectern/", `${root}/`).replaceAll("../shop", shop)
try {
  mkdirSync(folder, { recursive: true })
  execFileSync("bash", ["-euc", clone(commands)], { cwd: root, stdio: ["ignore", "ignore", "inherit"] })

  const tsc = join(root, "src/client/node_modules/typescript/bin/tsc")
  const [, options = ""] = /tsc (--noEmit .*?) shop\.ts`/.exec(readme) ?? []
  const compiled = (name: string, text: string) => {
    writeFileSync(join(shop, name), text)
    return spawnSync(process.execPath, [tsc, ...options.split(" "), name], { cwd: shop, encoding: "utf8" })
  }
  const right = compiled("shop.ts", program.replaceAll("http://localhost:8787", url))
  if (right.status !== 0) fail(`The program of README.md does not compile:\n${right.stdout}`)
  const wrong = compiled("wrong.ts", program.replace("userId: learner.id", "userId: learner.email"))
  if (!wrong.stdout.includes("Type 'string' is not assignable to type 'number'"))
    fail(`A program with a mistake compiles:\n${wrong.stdout}`)

  const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: join(root, "src/client"),
    encoding: "utf8",
  })
  const [{ files }] = JSON.parse(packed.slice(packed.indexOf("[\n"))) as [{ files: { path: string }[] }]
  const names = files.map(({ path }) => path)
  for (const name of ["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/api.generated.d.ts"])
    if (!names.includes(name)) fail(`npm pack leaves out ${name}: it packs ${names.join(", ")}.`)

  const printed = execFileSync(process.execPath, ["shop.ts"], { cwd: shop, encoding: "utf8" })
  if (!/^Order \d+: Order created\.$/m.test(printed)) fail(`The program created no order:\n${printed}`)
  console.info(`The program of README.md compiles, one with a mistake does not, and it did: ${printed.trim()}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
