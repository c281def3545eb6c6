// The test pool imports the Worker's module for each call of the Worker and of a Durable Object, which asks Vite's
// process twice. Here it is imported once for each test file.

interface ModuleRunner {
  import: (path: string) => Promise<unknown>
}

const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: ModuleRunner } })
  .__vitest_mocker__
const importModule = moduleRunner.import
let worker: unknown

/** Imports the Worker's module once until the next call of this function. */
export function importWorkerOnce() {
  worker = undefined
  moduleRunner.import = async (path) => {
    if (!path.endsWith("/src/index.ts")) return importModule.call(moduleRunner, path)
    worker ??= await importModule.call(moduleRunner, path)
    return worker
  }
}
