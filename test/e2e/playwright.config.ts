import { defineConfig, type PlaywrightTestProject } from "@playwright/test"
import type { WorkerOptions } from "./fixtures.ts"

type Project = PlaywrightTestProject<object, WorkerOptions>

const DESKTOP = { viewport: { width: 1280, height: 860 } }
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true }

/** The console's stories run at desktop and phone width, light and dark. */
const LOOKS = {
  "desktop-light": { ...DESKTOP, colorScheme: "light" },
  "desktop-dark": { ...DESKTOP, colorScheme: "dark" },
  "phone-light": { ...PHONE, colorScheme: "light" },
  "phone-dark": { ...PHONE, colorScheme: "dark" },
} as const

const console = Object.entries(LOOKS).map(
  ([name, look]): Project => ({
    name,
    testMatch: "console/**/*.spec.ts",
    testIgnore: [
      // The colors do not move the layout.
      ...(look.colorScheme === "dark" ? ["**/layout-shift.spec.ts"] : []),
      ...("hasTouch" in look ? [] : ["**/*-phone.spec.ts"]),
    ],
    use: { ...look, timezoneId: "Europe/Berlin", serviceVars: { ACCESS_POLICY: "enforced", SIGN_UP: "" } },
  }),
)

const service: Project = {
  name: "service",
  testMatch: ["browser/**/*.spec.ts", "api/**/*.spec.ts", "operations/**/*.spec.ts"],
  use: { serviceVars: { OUTBOUND_PRIVATE: "allow" } },
}

/** With a small generated dataset, or that of bench/README.md in ACADEMY_DATA. */
const academy: Project = { name: "academy", testMatch: "academy/**/*.spec.ts" }

export default defineConfig<object, WorkerOptions>({
  testDir: ".",
  outputDir: "../../.state/e2e",
  projects: [...console, service, academy],
  // Each worker starts a service of its own, which takes a processor.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? [["list"], ["github"]] : "list",
  use: {
    locale: "en-GB",
    actionTimeout: 15_000,
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: { executablePath: process.env.CHROMIUM || "/usr/bin/chromium" },
  },
})
