// A temporary service with the sample academy.
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../lib/ports.ts"
import { root } from "../lib/state.ts"

export interface TestAcademy {
  url: string
  /** Waits for a mail with a matching subject. @returns the text of the latest one */
  mail(to: string, subject: RegExp): Promise<string>
  stop(): Promise<void>
}

/**
 * Runs `npm start` with a temporary state folder, on a free port, without a rate limit and with sign-up open.
 * The folder is deleted when the service stops.
 */
export async function startTestAcademy(): Promise<TestAcademy> {
  const state = mkdtempSync(join(tmpdir(), "lectern-openapi-"))
  const [port, inspector] = [await freePort(), await freePort()]
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(root, "scripts/start.ts"),
      ...[
        "--var",
        "RATE_LIMIT:1000000",
        "--var",
        "MAX_RUNNING_EXPORTS:100",
        "--var",
        "SIGN_UP:open",
        "--inspector-port",
        String(inspector),
      ],
    ],
    { cwd: root, env: { ...process.env, STATE_DIR: state, PORT: String(port) }, stdio: ["ignore", "pipe", "inherit"] },
  )
  const url = `http://localhost:${port}`
  const mails: { to: string; subject: string; file: string }[] = []
  const stop = async () => {
    if (child.exitCode === null) {
      const exited = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      await exited
    }
    rmSync(state, { recursive: true, force: true })
  }
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`npm start exited with code ${code}.`)))
    createInterface(child.stdout).on("line", (line) => {
      const [, to, subject, file] = /^Mail to (\S+): (.*) \((.*)\)$/.exec(line) ?? []
      if (to && subject && file) mails.push({ to, subject, file })
      if (line.startsWith(`Lectern is at ${url}`)) resolve()
    })
  }).catch(async (error) => {
    await stop()
    throw error
  })
  const mail = async (to: string, subject: RegExp) => {
    for (let tries = 0; tries < 100; tries++) {
      const found = mails.findLast((one) => one.to === to && subject.test(one.subject))
      if (found) return readFileSync(found.file, "utf8")
      await sleep(200)
    }
    throw new Error(`No mail to ${to} with a subject like ${subject} has come.`)
  }
  return { url, mail, stop }
}
