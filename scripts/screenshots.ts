// Takes the pictures of docs/images from a service with the sample academy: node scripts/run.mjs scripts/screenshots.ts
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "@playwright/test"
import { call, connect, json, PASSWORD } from "./lib/client.ts"
import { startService } from "./lib/service.ts"
import { root } from "./lib/state.ts"

const SIZE = { width: 1280, height: 800 }
const QUALITY = 80
const folder = join(root, "docs/images/console")

interface Picture {
  name: string
  /** The sample account; undefined: nobody is signed in. */
  email?: string
  path: string
  scheme?: "light" | "dark"
}

const ADMIN = "admin@example.com"
const LEARNER = "learner@example.com"

const pictures = (certificate: string): Picture[] => [
  { name: "sign-in", path: "/login" },
  { name: "home", email: ADMIN, path: "/console" },
  { name: "users", email: ADMIN, path: "/console/users" },
  { name: "user", email: ADMIN, path: "/console/users/5" },
  { name: "course", email: ADMIN, path: "/console/courses/1" },
  { name: "reports", email: ADMIN, path: "/console/reports" },
  { name: "learner", email: LEARNER, path: "/console" },
  { name: "learning", email: LEARNER, path: "/console/learning" },
  { name: "learning-dark", email: LEARNER, path: "/console/learning", scheme: "dark" },
  { name: "certificate", path: certificate },
]

async function take(browser: Browser, url: string, { name, email, path, scheme = "light" }: Picture) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: scheme, timezoneId: "Europe/Berlin" })
  const page = await context.newPage()
  if (email) {
    await page.goto(`${url}/login`)
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password").fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`${url}/console`)
  }
  await page.goto(`${url}${path}`, { waitUntil: "networkidle" })
  await page.locator("main h1").first().waitFor()
  await page.waitForFunction("!document.querySelector('main .loading, main [aria-busy=true]')")
  const devtools = await context.newCDPSession(page)
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, "base64"))
  console.info(name)
  await context.close()
}

/** The path of the public page of a sample certificate. */
async function certificatePath(url: string): Promise<string> {
  const learner = await connect(url, LEARNER, PASSWORD)
  const list = await call(learner, "GET", `/api/user-certificates/${learner.userId}?page_size=1&page_number=1`)
  const [certificate] = (await json<{ records: { publicUrl: string }[] }>(list)).records
  return new URL(certificate?.publicUrl ?? url).pathname
}

mkdirSync(folder, { recursive: true })
const stateDir = mkdtempSync(join(tmpdir(), "lectern-screenshots-"))
const service = await startService(stateDir, ["--var", "RATE_LIMIT:1000000"])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium" })
try {
  for (const picture of pictures(await certificatePath(service.url))) await take(browser, service.url, picture)
} finally {
  await browser.close()
  await service.stop()
  rmSync(stateDir, { recursive: true, force: true })
}
