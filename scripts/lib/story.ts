// What a story of the console is, and what holds in each of its views. `npm run check:console` plays them.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Locator, Page } from "playwright-core"
import { root } from "./state.ts"

/** How a story is looked at. */
export interface Look {
  name: string
  width: number
  height: number
  scheme: "light" | "dark"
}

/** Desktop and phone, light and dark. */
export const LOOKS: readonly Look[] = [
  { name: "desktop-light", width: 1280, height: 860, scheme: "light" },
  { name: "desktop-dark", width: 1280, height: 860, scheme: "dark" },
  { name: "phone-light", width: 390, height: 800, scheme: "light" },
  { name: "phone-dark", width: 390, height: 800, scheme: "dark" },
]

/** A call that the console made of the API. */
export interface ApiCall {
  method: string
  path: string
  status: number
}

/** Somebody's work at the console, from their sign-in on. */
export interface Story {
  /** As a sentence: `An administrator finds a learner as they type`. */
  name: string
  /** The account of the sample academy that signs in. */
  who: string
  /** The browser's first language; English unless told. */
  locale?: string
  play: (stage: Stage) => Promise<void>
}

const axeSource = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8")

interface AxeNode {
  target: string[]
  failureSummary?: string
}
interface AxeResults {
  violations: { id: string; help: string; nodes: AxeNode[] }[]
}

const VIEW_WITHIN = 15_000

/** True while a view is on its way: it has no heading yet, or says that it is loading. */
const LOADING = "!document.querySelector('main h1') || !!document.querySelector('main .loading')"

/** What a story plays on: a page of the console, signed in, which is watched for all that must never happen. */
export class Stage {
  readonly page: Page
  readonly base: string
  readonly look: Look
  /** Makes names of this play's own: what a story creates, another play does not find. */
  readonly unique: string
  /** Every call of the API so far. */
  readonly calls: ApiCall[] = []
  /** What went wrong outside of the story's own expectations. */
  readonly faults: string[] = []
  private readonly pictures: string | undefined
  private readonly expected = new Set<number>()
  private taken = 0

  constructor(page: Page, given: { base: string; look: Look; unique: string; pictures: string | undefined }) {
    this.page = page
    this.base = given.base
    this.look = given.look
    this.unique = given.unique
    this.pictures = given.pictures
    page.setDefaultTimeout(VIEW_WITHIN)
    page.on("pageerror", (error) => this.faults.push(`the page failed: ${error}`))
    page.on("console", (message) => {
      // A refused answer is told by its response, with its status.
      if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
        this.faults.push(`the browser's console: ${message.text()}`)
    })
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url())
      if (/^https?:$/.test(protocol) && origin !== this.base)
        this.faults.push(`a request to another origin: ${request.url()}`)
    })
    page.on("response", (response) => {
      const { pathname } = new URL(response.url())
      const [method, status] = [response.request().method(), response.status()]
      if (pathname.startsWith("/api/")) this.calls.push({ method, path: pathname, status })
      if (status >= 400 && !this.expected.has(status)) this.faults.push(`${method} ${pathname} answered ${status}`)
    })
  }

  get isPhone(): boolean {
    return this.look.width < 600
  }

  /** From here on answers of these statuses are part of the story. */
  expectStatus(...statuses: number[]) {
    for (const status of statuses) this.expected.add(status)
  }

  /** Goes to a view by its address, and waits until it stands. */
  async open(path: string) {
    await this.page.goto(`${this.base}/console${path}`)
    await this.settled()
  }

  /** Goes to a view by the navigation, as a person does. */
  async go(name: string) {
    const menu = this.page.getByRole("button", { name: /^(Menu|القائمة)$/ })
    if (await menu.isVisible()) await menu.click()
    await this.page.locator("#navigation").getByRole("link", { name, exact: true }).click()
    await this.settled()
  }

  /** Waits until a heading stands and nothing is being loaded. */
  async settled() {
    await this.page.locator("main h1").first().waitFor()
    await this.page.locator("main .loading, main [aria-busy='true']").first().waitFor({ state: "detached" })
  }

  /** The heading of the view. */
  heading = (): Locator => this.page.locator("main h1").first()

  /** Waits until something of this text is to be seen. */
  async sees(text: string | RegExp) {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor()
  }

  /** Waits until the console says that something is done. */
  async hears(text: string | RegExp) {
    await this.page.locator(".announcer").getByText(text).waitFor()
  }

  /** Waits until an expression of the page holds. It is asked from here: the page's policy runs no text as a script. */
  async holds(expression: string) {
    const end = Date.now() + VIEW_WITHIN
    while (!(await this.page.evaluate(expression))) {
      if (Date.now() > end) throw new Error(`This never held: ${expression}`)
      await sleep(50)
    }
  }

  /** Runs axe. A view that replaces the settled one meanwhile is waited for, and looked at instead. */
  private async axe(): Promise<AxeResults> {
    const end = Date.now() + VIEW_WITHIN
    for (;;) {
      // The browser's own door for tools: the page's policy holds for what the page runs, not for this.
      const run = `${axeSource}; (${LOADING}) ? null : axe.run(document)`
      const results = (await this.page.evaluate(run)) as AxeResults | null
      if (results && !(await this.page.evaluate(LOADING))) return results
      if (Date.now() > end) throw new Error("The view never came to rest.")
      await this.settled()
    }
  }

  /** Looks at the view as it is: nothing that axe finds, nothing wider than the window, and a picture to look at. */
  async looks(name: string) {
    await this.settled()
    if (this.pictures)
      await this.page.screenshot({
        path: join(this.pictures, `${this.look.name}-${++this.taken}-${name.replace(/\W+/g, "-")}.png`),
        fullPage: true,
      })
    const results = await this.axe()
    const found = results.violations.map(
      ({ id, help, nodes }) =>
        `${id} (${help}): ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary ?? ""}`).join("; ")}`,
    )
    assert.deepEqual(found, [], `${name}: what axe finds`)
    const wide = Number(await this.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    assert.ok(wide <= 0, `${name}: ${wide} pixels wider than the window`)
  }
}
