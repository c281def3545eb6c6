// Plays the stories of test/console in headless Chromium against `npm start` with the enforced policy: each at desktop
// and phone width, light and dark. Every view that a story looks at is held to axe; the browser's console, the content
// security policy and every answer are watched.
// Not part of the tests, which need npm alone: it needs Debian's package chromium.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { PASSWORD } from "./lib/client.ts"
import { conclude, failures } from "./lib/expect.ts"
import { flags, notRun } from "./lib/flags.ts"
import { startService } from "./lib/servers.ts"
import { root } from "./lib/state.ts"
import { LOOKS, type Look, Stage, type Story } from "./lib/story.ts"

const values = flags(
  "npm run check:console",
  "Plays the console's stories in Chromium, at desktop and phone width, light and dark.",
  {
    only: { type: "string", default: "", value: "text", about: "only stories whose name has this text" },
    look: { type: "string", default: "", about: `only one of ${LOOKS.map(({ name }) => name).join(", ")}` },
    pictures: { type: "string", default: "", value: "folder", about: "keeps a picture of each view in this folder" },
  },
  {
    BASE_URL: "a service with the sample academy; one of its own is started unless set",
    CHROMIUM: "the browser (/usr/bin/chromium unless set)",
  },
)
const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium"
if (!existsSync(CHROMIUM)) notRun(`no Chromium at ${CHROMIUM}. Install it (Debian package chromium), or set CHROMIUM.`)

const folder = join(root, "test/console")
const files = readdirSync(folder).filter((name) => name.endsWith(".stories.ts"))
const all: Story[] = []
for (const file of files) {
  const { stories } = (await import(join(folder, file))) as { stories: Story[] }
  all.push(...stories)
}
const stories = all.filter(({ name }) => name.includes(values.only))
const looks = LOOKS.filter(({ name }) => values.look === "" || name === values.look)

/** A service of the check's own, with what a person's stories need: the enforced policy, and no limit in their way. */
async function ownService() {
  const state = mkdtempSync(join(tmpdir(), "lectern-console-"))
  const service = await startService(state, [
    ...["--var", "ACCESS_POLICY:enforced", "--var", "RATE_LIMIT:1000000"],
    ...["--var", "SIGN_UP:"],
  ])
  return {
    url: service.url,
    stop: async () => {
      await service.stop()
      rmSync(state, { recursive: true, force: true })
    },
  }
}

/** Plays one story in one look. */
async function play(
  browser: Browser,
  base: string,
  { name, who, locale = "en-GB", play }: Story,
  look: Look,
  at: number,
) {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.scheme,
    locale,
    timezoneId: "Europe/Berlin",
    hasTouch: look.width < 600,
  })
  const pictures = values.pictures && join(values.pictures, name.replace(/\W+/g, "-").toLowerCase())
  if (pictures) mkdirSync(pictures, { recursive: true })
  const unique = `${Date.now().toString(36)}${at}`
  const page = await context.newPage()
  const stage = new Stage(page, { base, look, unique, pictures: pictures || undefined })
  const began = Date.now()
  try {
    await page.goto(`${base}/login`)
    await page.getByLabel("Email address").fill(who)
    await page.getByLabel("Password").fill(PASSWORD)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL(`${base}/console`)
    await stage.settled()
    await play(stage)
  } catch (error) {
    stage.faults.push(error instanceof Error ? error.message : String(error))
    if (pictures) await page.screenshot({ path: join(pictures, `${look.name}-failed.png`), fullPage: true })
  }
  await context.close()
  const outcome = stage.faults.length === 0 ? "plays" : "FAILS"
  console.info(`${outcome}  ${name} (${look.name}, ${((Date.now() - began) / 1000).toFixed(1)} s)`)
  failures.push(...stage.faults.map((fault) => `${name} (${look.name}): ${fault}`))
}

const service = process.env.BASE_URL ? { url: process.env.BASE_URL, stop: async () => {} } : await ownService()
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] })
let plays = 0
for (const story of stories) for (const look of looks) await play(browser, service.url, story, look, ++plays)
await browser.close()
await service.stop()
conclude(
  `${stories.length} stories play in ${looks.length} looks each: axe finds nothing, and nothing fails beside them.`,
)
