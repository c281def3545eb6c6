import type { ConfigEnv } from "vitest/config"
import tests from "../../test/vitest.config.ts"

// The tests' own settings: the same Worker, in workerd.
export default async (env: ConfigEnv) => {
  const settings = await tests(env)
  const test = { ...settings.test, include: ["bench/growth/*.test.ts"], testTimeout: 180_000, maxWorkers: 1 }
  return { ...settings, test }
}
