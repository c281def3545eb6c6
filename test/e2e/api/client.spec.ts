import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/lib/state.ts"
import { expect, test } from "../fixtures.ts"

const readme = readFileSync(join(root, "README.md"), "utf8")
const [, commands = "", program = ""] =
  /## Use it from your app\n.*?^```sh\n(.*?)^```\n.*?^```ts\n(.*?)^```\n/ms.exec(readme) ?? []
const [, tscOptions = ""] = /tsc (--noEmit .*?) shop\.ts`/.exec(readme) ?? []

test("the client builds as README.md says, and its program compiles and creates an order", async ({
  service,
  folder,
}) => {
  test.setTimeout(600_000)
  const shop = join(folder, "shop")
  const setUp = commands.replaceAll("../lectern/", `${root}/`).replaceAll("../shop", shop)
  execFileSync("bash", ["-euc", setUp], { cwd: root, stdio: ["ignore", "ignore", "inherit"] })

  const tsc = join(root, "src/client/node_modules/typescript/bin/tsc")
  const compile = (name: string, text: string) => {
    writeFileSync(join(shop, name), text)
    return spawnSync(process.execPath, [tsc, ...tscOptions.split(" "), name], { cwd: shop, encoding: "utf8" })
  }
  const right = compile("shop.ts", program.replaceAll("http://localhost:8787", service.url))
  expect(right.status, right.stdout).toBe(0)
  const wrong = compile("wrong.ts", program.replace("userId: learner.id", "userId: learner.email"))
  expect(wrong.stdout).toContain("Type 'string' is not assignable to type 'number'")

  const printed = execFileSync(process.execPath, ["shop.ts"], { cwd: shop, encoding: "utf8" })
  expect(printed).toMatch(/^Order \d+: Order created\.$/m)
})

test("npm pack builds the client of a fresh clone", async ({ folder }) => {
  test.setTimeout(600_000)
  const clone = join(folder, "clone")
  execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone])
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  const client = join(clone, "src/client")
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: client, encoding: "utf8" })
  const [{ files }] = JSON.parse(packed.slice(packed.indexOf("[\n"))) as [{ files: { path: string }[] }]
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts", "dist/api.generated.d.ts"]),
  )
  const links = [...readFileSync(join(client, "README.md"), "utf8").matchAll(/\]\((?!https:)([^)]*)\)/g)]
  expect(links, "a package has no files beside its own").toEqual([])
})
