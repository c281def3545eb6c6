// Runs the conformance suite of the Model Context Protocol against a sample academy.
import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fail, flags } from "./lib/cli.ts"
import { root } from "./lib/state.ts"
import { startTestAcademy } from "./openapi/academy.ts"

flags("npm run verify -- mcp", "Runs the conformance suite of the Model Context Protocol against /mcp.", {})

const SUITE = "@modelcontextprotocol/conformance@0.1.16"
/** Scenarios that need tools, prompts and resources of a test server. */
const EXPECTED_FAILURES = join(root, "scripts/mcp-expected-failures.yml")

async function post(url: string, body: object, token?: string) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

/** Creates a key of the sample academy's owner. */
async function createKey(base: string): Promise<string> {
  const { token } = await post(`${base}/login`, { email: "owner@example.com", password: "lectern-demo-1" })
  const { key = "" } = await post(
    `${base}/api/api-key/create`,
    { name: "MCP conformance", role: "owner", access: "write" },
    token,
  )
  return key
}

/** Adds the key to each request, since the suite sends no credential. @returns its URL */
async function startProxy(base: string, key: string) {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const forwarded = request(
      `${base}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, authorization: `Bearer ${key}` } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    forwarded.on("error", () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const run = (command: string, args: string[]) =>
  new Promise<number>((resolve) => {
    spawn(command, args, { stdio: "inherit" }).once("exit", (code) => resolve(code ?? 1))
  })

const academy = await startTestAcademy()
const proxy = await startProxy(academy.url, await createKey(academy.url))
const status = await run("npx", [
  "--yes",
  SUITE,
  "server",
  "--url",
  `${proxy.url}/mcp?write=1`,
  "--expected-failures",
  EXPECTED_FAILURES,
])
proxy.close()
await academy.stop()
if (status !== 0) fail("The conformance suite found unexpected results.")
