import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect, type Locator, type Page, test } from "@playwright/test"
import type { AxeResults } from "axe-core"
import { PASSWORD } from "../../../scripts/lib/client.ts"

export interface ApiCall {
  method: string
  path: string
  status: number
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const PHONE_WIDTH = 600

/** A page of the console: how tests move through it, and a record of what must never happen on it. */
export class ConsolePage {
  readonly page: Page
  /** The address of the service. */
  readonly url: string
  /** Makes names that no other test uses. */
  readonly unique = `${Date.now().toString(36)}${test.info().testId.slice(0, 4)}`
  /** Every call of the API so far. */
  readonly calls: ApiCall[] = []
  /** Errors of the page, unexpected statuses, and requests to other origins. */
  readonly problems: string[] = []
  private readonly allowed = new Set<number>()

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    page.on("pageerror", (error) => this.problems.push(`uncaught error: ${error}`))
    page.on("console", (message) => {
      // The response event reports a failed request with its status.
      if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
        this.problems.push(`console error: ${message.text()}`)
    })
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url())
      if (/^https?:$/.test(protocol) && origin !== url) this.problems.push(`other origin: ${request.url()}`)
    })
    page.on("response", (response) => {
      const { pathname: path } = new URL(response.url())
      const [method, status] = [response.request().method(), response.status()]
      if (path.startsWith("/api/")) this.calls.push({ method, path, status })
      if (status >= 400 && !this.allowed.has(status)) this.problems.push(`${method} ${path} returned ${status}`)
    })
  }

  get isPhone(): boolean {
    return (this.page.viewportSize()?.width ?? PHONE_WIDTH) < PHONE_WIDTH
  }

  get heading(): Locator {
    return this.page.locator("main h1").first()
  }

  /** The path and query within the console. */
  get path(): string {
    return this.page.url().slice(`${this.url}/console`.length)
  }

  async signIn(email: string, password = PASSWORD) {
    await this.page.goto(`${this.url}/login`)
    // The page has the language of the browser.
    await this.page.locator("main [name='email']").fill(email)
    await this.page.locator("main [name='password']").fill(password)
    await this.page.locator("main [name='password']").press("Enter")
    await this.page.waitForURL(`${this.url}/console`)
    await this.waitUntilLoaded()
  }

  /** From here on, the test expects answers with these statuses. */
  allowStatus(...statuses: number[]) {
    for (const status of statuses) this.allowed.add(status)
  }

  /** Opens a view by its address. */
  async goto(path: string) {
    await this.page.goto(`${this.url}/console${path}`)
    await this.waitUntilLoaded()
  }

  /** Opens a view by the navigation: a section, and one of its tabs. */
  async navigate(name: string, tab?: string) {
    const menu = this.page.getByRole("button", { name: /^(Menu|القائمة)$/ })
    if (await menu.isVisible()) await menu.click()
    await this.page.locator("#navigation").getByRole("link", { name, exact: true }).click()
    await this.waitUntilLoaded()
    if (!tab) return
    await this.page.locator("main .tabs").getByRole("link", { name: tab, exact: true }).click()
    await this.waitUntilLoaded()
  }

  /** Waits until the view has a heading and nothing is loading. */
  async waitUntilLoaded() {
    await expect(this.heading).toBeVisible()
    await expect(this.page.locator("main .loading, main [aria-busy='true']")).toHaveCount(0)
  }

  async expectText(text: string | RegExp) {
    await expect(this.page.getByText(text).filter({ visible: true }).first()).toBeVisible()
  }

  /** Expects the live region to announce a text. */
  async expectAnnouncement(text: string | RegExp) {
    await expect(this.page.locator(".announcer").getByText(text)).toBeAttached()
  }

  /** Expects no finding of axe, and no horizontal scrolling. `PICTURES=1` attaches a picture of each view. */
  async expectAccessible(name: string) {
    await this.waitUntilLoaded()
    if (process.env.PICTURES)
      await test.info().attach(name, { body: await this.page.screenshot({ fullPage: true }), contentType: "image/png" })
    const violations = await this.axe()
    expect(violations, `${name}: accessibility`).toEqual([])
    const overflow = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${name}: pixels wider than the window`).toBeLessThanOrEqual(0)
  }

  /** Runs axe. Starts again where another view replaced the loaded one meanwhile. */
  private async axe(): Promise<string[]> {
    let violations: string[] = []
    await expect(async () => {
      await this.waitUntilLoaded()
      const view = await this.heading.elementHandle()
      // As text: the policy of the page does not apply to what the browser's developer tools run.
      const results = (await this.page.evaluate(`${AXE}; axe.run(document)`)) as AxeResults
      await this.waitUntilLoaded()
      expect(await view?.evaluate((heading) => heading.isConnected)).toBe(true)
      violations = results.violations.map(
        ({ id, help, nodes }) =>
          `${id} (${help}): ${nodes.map((node) => `${node.target} ${node.failureSummary ?? ""}`).join("; ")}`,
      )
    }).toPass({ timeout: 30_000 })
    return violations
  }
}
