import type { Page } from "@playwright/test"

/** What a person did on a page, as the page saw it: presses of a pointer, and fields that received text. */
export interface Effort {
  clicks: number
  fields: number
}

/** Runs in the page, before its scripts. */
function watchEffort() {
  const filled = new WeakSet<EventTarget>()
  const report = (what: "clicks" | "fields") =>
    (globalThis as { reportEffort?: (what: string) => void }).reportEffort?.(what)
  addEventListener("pointerdown", (event) => event.isTrusted && report("clicks"), { capture: true })
  addEventListener(
    "input",
    ({ target }) => {
      if (!target || filled.has(target)) return
      filled.add(target)
      report("fields")
    },
    { capture: true },
  )
}

/** Counts what happens on a page from now on, also on other pages. */
export async function countEffort(page: Page): Promise<Effort> {
  const effort = { clicks: 0, fields: 0 }
  await page.exposeFunction("reportEffort", (what: keyof Effort) => {
    effort[what]++
  })
  await page.addInitScript(watchEffort)
  // The page that is open already.
  await page.evaluate(watchEffort)
  return effort
}
