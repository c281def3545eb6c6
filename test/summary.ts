import type { Reporter, TestModule } from "vitest/node"

/** Ends the run with one plain line of counts, for readers of the last line. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    let passed = 0
    let failed = errors.length + modules.filter((module) => module.errors().length > 0).length
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === "passed") passed++
        else if (state === "failed") failed++
      }
    process.once("exit", () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
