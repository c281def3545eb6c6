// The OpenAPI document with other people's tools: linters, a generator of clients, and a proxy that compares every call
// and answer of a sample academy with it. The tools are installed into a folder of their own when they are needed.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { allRouters } from "./generate/app.ts"
import { flags } from "./lib/cli.ts"
import { freePort } from "./lib/ports.ts"
import { root } from "./lib/state.ts"
import { startTestAcademy } from "./openapi/academy.ts"
import { callAll } from "./openapi/calls.ts"
import { type Document, Driver } from "./openapi/driver.ts"

flags(
  "npm run verify -- openapi",
  "Lints the OpenAPI document, generates a client, and calls everything by a proxy.",
  {},
)

/** Operations that are called without the proxy: Prism reads bodies as text, which changes the bytes of files. */
const WITHOUT_PRISM = ["createScormModule", "replaceScormPackage", "uploadCertificateBackground"]

const tools = join(root, "scripts/openapi/tools")
const bin = (name: string) => join(tools, "node_modules/.bin", name)
const env = { ...process.env, PATH: `${join(tools, "node_modules/.bin")}:${process.env.PATH}` }
const work = mkdtempSync(join(tmpdir(), "lectern-verify-"))
const failures: string[] = []

/** Runs a tool, and prints its output when it fails. */
function run(what: string, command: string, args: string[], cwd = work) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  const passed = status === 0
  console.info(`${passed ? "passed" : "FAILED"}  ${what}`)
  if (passed) return
  failures.push(what)
  console.error(`${error ?? ""}${stdout}${stderr}`.slice(0, 20_000))
}

/** The client is compiled for browsers. */
const STRICT = {
  compilerOptions: {
    ...{ noEmit: true, strict: true, target: "es2022", module: "esnext", moduleResolution: "bundler" },
    ...{ lib: ["es2022", "dom", "dom.iterable"], types: [] },
  },
  files: ["hey/index.ts", "hey/sdk.gen.ts"],
}

/** The document names its own server. */
const SERVED = "https://lectern.example/openapi.json"

const documentUnder = async (ACCESS_POLICY: string) =>
  (await (await allRouters()).get("openapi")?.request(SERVED, {}, { ACCESS_POLICY }))?.text() ?? ""

/** Calls every operation through a proxy that validates calls and answers. */
async function throughProxy() {
  const academy = await startTestAcademy()
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
    // Prism reads the document first, which can take a minute.
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
    const direct = new Map(WITHOUT_PRISM.map((operationId) => [operationId, academy.url]))
    const driver = new Driver(url, JSON.parse(text) as Document, direct)
    await callAll(driver, academy).catch((error) => driver.failures.push(String(error)))
    const called = new Set(driver.recorded.map(({ operationId }) => operationId)).size
    const what = `prism proxy --errors: ${called} operations called, ${driver.failures.length} violations`
    const passed = driver.failures.length === 0 && driver.missing.length === 0
    console.info(`${passed ? "passed" : "FAILED"}  ${what}`)
    if (passed) return
    failures.push(what)
    for (const failure of driver.failures) console.error(failure)
    if (driver.missing.length > 0) console.error(`Not called: ${driver.missing.join(", ")}`)
  } finally {
    proxy.kill()
    await academy.stop()
  }
}

try {
  const install = ["install", "--no-package-lock", "--no-audit", "--no-fund"]
  if (!existsSync(bin("prism"))) run("npm install in scripts/openapi/tools", "npm", install, tools)
  symlinkSync(join(tools, "node_modules"), join(work, "node_modules"))
  writeFileSync(join(work, "openapi.json"), await documentUnder("enforced"))
  run("Redocly lint", bin("redocly"), ["lint", "openapi.json", "--config", join(tools, "redocly.yaml")])
  const rules = join(tools, "spectral.yaml")
  run("Spectral, oas and OWASP", bin("spectral"), ["lint", "openapi.json", "-r", rules, "-D", "-F", "error"])
  const plugins = ["-p", "@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"]
  run("@hey-api/openapi-ts generates a client", bin("openapi-ts"), ["-i", "openapi.json", "-o", "hey", ...plugins])
  writeFileSync(join(work, "tsconfig.json"), JSON.stringify(STRICT))
  run("the client compiles with tsc --strict", bin("tsc"), ["-p", "."])
  await throughProxy()
} finally {
  rmSync(work, { recursive: true, force: true })
}
if (failures.length > 0) process.exitCode = 1
