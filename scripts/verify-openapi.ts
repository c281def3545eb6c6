// npm run verify:openapi: holds the OpenAPI document against what other people's tools make of it: linters, generators
// of clients, and a proxy that compares every call and answer of a sample academy with it. The tools have a folder of
// their own, so that the main install stays small.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { allRouters } from "./families.ts"
import { flags } from "./lib/flags.ts"
import { freePort } from "./lib/ports.ts"
import { root } from "./lib/state.ts"
import { ownAcademy } from "./openapi/academy.ts"
import { callAll } from "./openapi/calls.ts"
import { type Document, Driver } from "./openapi/driver.ts"

flags("npm run verify:openapi", "Lints the OpenAPI document, makes clients of it, and calls everything through it.", {})

/**
 * Operations that are called beside the proxy: Prism 5 reads a call's body as text, and sends on other bytes than the
 * file's. Their JSON answers are held against the document by `npm run examples` and test/matrix/openapi.test.ts.
 */
const BESIDE_PRISM: Record<string, string> = {
  createScormModule: "a zip file is sent",
  replaceScormPackage: "a zip file is sent",
  uploadCertificateBackground: "a picture is sent",
}

const tools = join(root, "scripts/openapi-tools")
const bin = (name: string) => join(tools, "node_modules/.bin", name)
const env = { ...process.env, PATH: `${join(tools, "node_modules/.bin")}:${process.env.PATH}` }
const work = mkdtempSync(join(tmpdir(), "lectern-verify-"))
const failures: string[] = []

/** Runs a tool. What it says is shown where it fails. */
function run(what: string, command: string, args: string[], cwd = work) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  const held = status === 0
  console.info(`${held ? "holds" : "FAILS"}  ${what}`)
  if (held) return
  failures.push(what)
  console.error(`${error ?? ""}${stdout}${stderr}`.slice(0, 20_000))
}

/** What is made is compiled as a browser's program. */
const STRICT = {
  compilerOptions: {
    ...{ noEmit: true, strict: true, target: "es2022", module: "esnext", moduleResolution: "bundler" },
    ...{ lib: ["es2022", "dom", "dom.iterable"], types: [] },
  },
  files: ["openapi-typescript/schema.ts", "hey/index.ts", "hey/sdk.gen.ts", "orval/client.ts"],
}

/** Where a deployment serves it, which the document names as its server. */
const SERVED = "https://lectern.example/openapi.json"

const documentUnder = async (ACCESS_POLICY: string) =>
  (await (await allRouters()).get("openapi")?.request(SERVED, {}, { ACCESS_POLICY }))?.text() ?? ""

/** Calls everything through a proxy that holds each call and answer against the document. */
async function throughProxy() {
  const academy = await ownAcademy()
  const port = await freePort()
  const text = await (await fetch(`${academy.url}/openapi.json`)).text()
  const file = join(work, "served.json")
  writeFileSync(file, text)
  const proxy = spawn(bin("prism"), ["proxy", file, academy.url, "--errors", "--port", String(port)], {
    env,
    stdio: "ignore",
  })
  const url = `http://127.0.0.1:${port}`
  try {
    // Prism reads the whole document first, which takes a busy machine a minute.
    for (let tries = 0; tries < 600; tries++) {
      if (
        await fetch(`${url}/login`).then(
          () => true,
          () => false,
        )
      )
        break
      await sleep(300)
    }
    const beside = new Map(Object.keys(BESIDE_PRISM).map((operationId) => [operationId, academy.url]))
    const driver = new Driver(url, JSON.parse(text) as Document, beside)
    await callAll(driver, academy).catch((error) => driver.failures.push(String(error)))
    const called = new Set(driver.said.map(({ operationId }) => operationId)).size
    const what = `prism proxy --errors: ${called} operations called, ${driver.failures.length} violations`
    const held = driver.failures.length === 0 && driver.missing.length === 0
    console.info(`${held ? "holds" : "FAILS"}  ${what}`)
    if (held) return
    failures.push(what)
    for (const failure of driver.failures) console.error(failure)
    if (driver.missing.length > 0) console.error(`Not called: ${driver.missing.join(", ")}`)
  } finally {
    proxy.kill()
    await academy.stop()
  }
}

try {
  if (!existsSync(bin("prism"))) run("npm ci in scripts/openapi-tools", "npm", ["ci", "--no-audit", "--no-fund"], tools)
  symlinkSync(join(tools, "node_modules"), join(work, "node_modules"))
  writeFileSync(join(work, "openapi.json"), await documentUnder("enforced"))
  run("Redocly lint", bin("redocly"), ["lint", "openapi.json", "--config", join(tools, "redocly.yaml")])
  const rules = join(tools, "spectral.yaml")
  run("Spectral, oas and OWASP", bin("spectral"), ["lint", "openapi.json", "-r", rules, "-D", "-F", "error"])
  run("openapi-typescript makes", bin("openapi-typescript"), ["openapi.json", "-o", "openapi-typescript/schema.ts"])
  const plugins = ["-p", "@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"]
  run("@hey-api/openapi-ts makes", bin("openapi-ts"), ["-i", "openapi.json", "-o", "hey", ...plugins])
  run("orval makes", bin("orval"), ["--config", join(tools, "orval.config.mjs")])
  writeFileSync(join(work, "tsconfig.json"), JSON.stringify(STRICT))
  run("all three compile with tsc --strict", bin("tsc"), ["-p", "."])
  await throughProxy()
} finally {
  rmSync(work, { recursive: true, force: true })
}
if (failures.length > 0) process.exitCode = 1
