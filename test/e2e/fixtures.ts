import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test as base, expect } from "@playwright/test"
import { freePort } from "../../scripts/lib/ports.ts"
import { type Service, startService, toVarFlags } from "../../scripts/lib/service.ts"
import { ConsolePage } from "./console/console-page.ts"

export { expect }

export interface WorkerOptions {
  /** Variables of the service, in addition to a rate limit that no test reaches. */
  serviceVars: Record<string, string>
}

interface WorkerFixtures extends WorkerOptions {
  /** A running service with the sample academy. Starts with the first test that asks for it. */
  service: Service & {
    stateDir: string
    /** Another origin whose pages may call the service. */
    allowedOrigin: string
  }
}

interface Fixtures {
  /** Signs in to the console. The page is watched from then on: see `ConsolePage`. */
  signIn: (email: string) => Promise<ConsolePage>
}

/** For tests that start their own service: `test` starts one for each worker, because `baseURL` depends on it. */
export const testWithoutService = base.extend<{
  /** A folder that is deleted after the test. */
  folder: string
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-e2e-"))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
})

export const test = testWithoutService.extend<Fixtures, WorkerFixtures>({
  serviceVars: [{}, { scope: "worker", option: true }],
  service: [
    async ({ serviceVars }, use) => {
      const stateDir = mkdtempSync(join(tmpdir(), "lectern-e2e-"))
      const allowedOrigin = `http://localhost:${await freePort()}`
      const vars = { RATE_LIMIT: "1000000", ALLOWED_ORIGINS: allowedOrigin, ...serviceVars }
      const service = await startService(stateDir, toVarFlags(vars))
      await use({ ...service, stateDir, allowedOrigin })
      await service.stop()
      rmSync(stateDir, { recursive: true, force: true })
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  signIn: async ({ page, service }, use) => {
    const app = new ConsolePage(page, service.url)
    await use(async (email) => {
      await app.signIn(email)
      return app
    })
    expect(app.problems, "errors, unexpected answers and requests to other origins").toEqual([])
  },
})
